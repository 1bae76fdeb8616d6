"""What holds for every test."""

import os

from hypothesis import settings

# The same examples every time, so that a change alone decides whether the tests pass. New ones are
# drawn with MINIMARSHAL_RANDOM=1, which is for hunting.
settings.register_profile("steady", derandomize=True)
settings.register_profile("hunting", print_blob=True)
settings.load_profile("hunting" if os.environ.get("MINIMARSHAL_RANDOM") == "1" else "steady")
