// Table millimetres to pixels of the camera picture, with the lens's distortion.

/** The pixel of a table point, or null where it is not in front of the camera. */
export function project(calibration, [x, y], z = 0) {
  const T = calibration.camera_T_table;
  const camera = [0, 1, 2].map((row) => T[row][0] * x + T[row][1] * y + T[row][2] * z + T[row][3]);
  if (camera[2] <= 1) return null;
  const lens = calibration.intrinsics;
  const [k1, k2, p1, p2, k3] = lens.distortion;
  const u = camera[0] / camera[2];
  const v = camera[1] / camera[2];
  const r2 = u * u + v * v;
  const radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3));
  return [
    lens.fx_px * (u * radial + 2 * p1 * u * v + p2 * (r2 + 2 * u * u)) + lens.cx_px,
    lens.fy_px * (v * radial + p1 * (r2 + 2 * v * v) + 2 * p2 * u * v) + lens.cy_px,
  ];
}

/** The table point under an undistorted pixel at z = 0; good enough to place a handle. */
export function unproject(calibration, [u, v]) {
  const H = calibration.table_H_image;
  const [x, y, w] = H.map((row) => row[0] * u + row[1] * v + row[2]);
  return [x / w, y / w];
}

/** Points round a circle. */
export function circle([x, y], radius, count = 48) {
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
}

/** A line cut into short pieces, so that it bends with the lens. */
export function pieces([x0, y0], [x1, y1], count = 12) {
  return Array.from({ length: count + 1 }, (_, i) => [
    x0 + ((x1 - x0) * i) / count,
    y0 + ((y1 - y0) * i) / count,
  ]);
}
