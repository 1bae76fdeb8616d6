() => {
  const channel = (v) => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; };
  const light = (c) => { const [r, g, b] = c.match(/[0-9.]+/g).map(Number); return .2126 * channel(r) + .7152 * channel(g) + .0722 * channel(b); };
  const ground = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (!/, 0\)$/.test(c)) return c; } return 'rgb(255, 255, 255)'; };
  return [...document.querySelectorAll('button, h1, h2, p, span')].filter((e) => e.textContent.trim() && e.getClientRects().length)
    .map((e) => { const [a, b] = [light(getComputedStyle(e).color), light(ground(e))].sort((x, y) => y - x); return [(a + .05) / (b + .05), e.textContent.slice(0, 30)]; })
    .filter(([ratio]) => ratio < 4.5);
}
