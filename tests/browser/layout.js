() => {
  const faults = [];
  const shown = (e) => {
    const s = getComputedStyle(e);
    const r = e.getBoundingClientRect();
    return s.visibility === 'visible' && s.display !== 'none' && r.width > 1 && r.height > 1;
  };
  if (document.documentElement.scrollWidth > innerWidth + 1) faults.push('page is wider than the window');
  if (document.documentElement.scrollHeight > innerHeight + 1) faults.push('page is taller than the window');
  const inside = (e, box) => box.contains(e);
  const dialog = document.querySelector('dialog[open]');
  const root = dialog ?? document.body;
  const edge = dialog?.getBoundingClientRect() ?? { left: 0, right: innerWidth };
  for (const e of root.querySelectorAll('button, h1, h2, h3, p, li, summary, label, input, select')) {
    if (!shown(e) || e.closest('.visuallyhidden') || e.closest('#toast')) continue;
    const r = e.getBoundingClientRect();
    const words = e.textContent.trim().slice(0, 40);
    if (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline')
      faults.push(`cut in width: ${e.tagName} "${words}"`);
    if (e.tagName === 'BUTTON' && e.scrollHeight > e.clientHeight + 1) faults.push(`cut in height: "${words}"`);
    if (r.left < edge.left - 1 || r.right > edge.right + 1) faults.push(`outside the window: ${e.tagName} "${words}"`);
    if (e.tagName === 'BUTTON' && (r.height < 44 || r.width < 44)) faults.push(`small target ${r.width}x${r.height}: "${words}"`);
    if (e.tagName === 'BUTTON' && !words) faults.push('button without words');
  }
  const blocks = dialog ? [] : ['#bar', '#panel', '#tools', '#banner'].map((q) => document.querySelector(q))
    .concat([...document.querySelectorAll('.view')]).filter((e) => e && shown(e));
  for (const [i, a] of blocks.entries()) for (const b of blocks.slice(i + 1)) {
    const p = a.getBoundingClientRect(), q = b.getBoundingClientRect();
    const w = Math.min(p.right, q.right) - Math.max(p.left, q.left);
    const h = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
    if (w > 1 && h > 1) faults.push(`#${a.id} lies over #${b.id}`);
  }
  const buttons = [...root.querySelectorAll('button')].filter(shown);
  for (const [i, a] of buttons.entries()) for (const b of buttons.slice(i + 1)) {
    if (a.closest('#panel') !== b.closest('#panel')) continue;
    // What is scrolled passes under a dialog's head.
    if (a.closest('.dialoghead') !== b.closest('.dialoghead')) continue;
    const p = a.getBoundingClientRect(), q = b.getBoundingClientRect();
    if (Math.min(p.right, q.right) - Math.max(p.left, q.left) > 1 && Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 1)
      faults.push(`"${a.textContent}" lies over "${b.textContent}"`);
  }
  // Words drawn on the map and the picture.
  for (const svg of document.querySelectorAll('.view > svg')) {
    if (dialog || !shown(svg)) continue;
    const view = svg.getBoundingClientRect();
    const words = [...svg.querySelectorAll('text')].filter((e) => e.textContent && shown(e));
    for (const [i, a] of words.entries()) {
      const p = a.getBoundingClientRect();
      if (p.left < view.left - 2 || p.right > view.right + 2 || p.top < view.top - 2 || p.bottom > view.bottom + 2)
        faults.push(`"${a.textContent}" leaves the view`);
      for (const b of words.slice(i + 1)) {
        const q = b.getBoundingClientRect();
        if (Math.min(p.right, q.right) - Math.max(p.left, q.left) > 1 && Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 1)
          faults.push(`"${a.textContent}" is written over "${b.textContent}"`);
      }
    }
  }
  // Words about a line are read at that line.
  for (const shape of document.querySelectorAll('.view .shape')) {
    const [words, line] = [shape.querySelector('text'), shape.querySelector('polygon, polyline, circle')];
    if (dialog || !words || !line || !words.textContent || !shown(words)) continue;
    const box = words.getBoundingClientRect(), screen = line.getScreenCTM(), length = line.getTotalLength();
    const off = Array.from({ length: 200 }, (_, i) => line.getPointAtLength((length * i) / 199).matrixTransform(screen))
      .map((p) => Math.hypot(Math.max(box.left - p.x, 0, p.x - box.right), Math.max(box.top - p.y, 0, p.y - box.bottom)));
    if (Math.min(...off) > 30) faults.push(`"${words.textContent}" lies ${Math.round(Math.min(...off))} px from its line`);
  }
  return faults;
}
