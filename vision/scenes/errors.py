"""The one exception the renderer raises for bad input."""


class SceneError(Exception):
    """Bad input to the renderer.

    Attributes:
        file: The file or option at fault.
        fault: What is wrong with it.
    """

    def __init__(self, file: str, fault: str) -> None:
        super().__init__(f"{file}: {fault}")
        self.file = file
        self.fault = fault
