"""Training of the figure detector: data, loop, export and its own evaluation.

The only importer of torch and ultralytics; nothing outside this package imports it, so the
program runs without either. Run with ``python -m vision.training`` in an environment that has
the ``train`` extra.
"""
