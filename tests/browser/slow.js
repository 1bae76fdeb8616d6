// Stands in for a slow phone: what is done "at once" is done a good while later.
{
  const real = window.setTimeout;
  window.setTimeout = (then, ms = 0, ...given) => real(then, ms + 150, ...given);
}
