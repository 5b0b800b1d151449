/** A page of a list that came whole, by a cursor that is the place of the page's first; one beyond the end shows the last page. */
export const pageOf = <Row>(
  all: readonly Row[],
  cursor: string | null,
  size: number,
): { rows: readonly Row[]; nextCursor: string | null } => {
  const asked = Math.max(0, Math.floor(Number(cursor)) || 0);
  const from = asked < all.length ? asked : Math.max(0, Math.ceil(all.length / size) - 1) * size;
  const end = from + size;
  return { rows: all.slice(from, end), nextCursor: end < all.length ? String(end) : null };
};
