"""Roughly how a picture lies against another from which the camera was turned far."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import NotFound
from calibration.watch import Grey

_SIDE_PX: Final = 960
_CORNERS: Final = 2000
_NEAR_PX: Final = 6.0
"""A turned camera sees a little more than an affine map; the points are followed from there."""

_FEWEST: Final = 25
_RATIO: Final = 0.85
"""A match is believed when the next best is so much worse: studs all look alike."""


def rough_shift(reference: Grey, picture: Grey) -> NDArray[np.float64]:
    """An affine map between two pictures by corners that look alike (ORB).

    Args:
        reference: Grey picture, (H, W).
        picture: Grey picture of the same size after the camera was moved, (H, W).

    Returns:
        (2, 3) from reference pixels to pixels, good to some pixels.

    Raises:
        NotFound: Too little looks alike.
    """
    scale = min(1.0, _SIDE_PX / max(reference.shape))
    finder = cv2.ORB.create(nfeatures=_CORNERS)
    seen = []
    for grey in (reference, picture):
        small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        corners, words = finder.detectAndCompute(small, None)
        if words is None or len(corners) < _FEWEST:
            raise NotFound("too little to tell places by is seen")
        places = np.array([corner.pt for corner in corners], dtype=np.float64)
        seen.append(((places + 0.5) / scale - 0.5, words))
    (before, old), (now, new) = seen
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(old, new, k=2)
    clear = [
        two[0] for two in pairs if len(two) == 2 and two[0].distance < _RATIO * two[1].distance
    ]
    if len(clear) < _FEWEST:
        raise NotFound("too little looks as before")
    starts = before[[match.queryIdx for match in clear]]
    ends = now[[match.trainIdx for match in clear]]
    found, inliers = cv2.estimateAffine2D(
        starts, ends, method=cv2.RANSAC, ransacReprojThreshold=_NEAR_PX / scale, maxIters=4000
    )
    if found is None or inliers is None or int(inliers.sum()) < _FEWEST:
        raise NotFound("what looks as before does not agree on where the camera went")
    return np.asarray(found, dtype=np.float64)
