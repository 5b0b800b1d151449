const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A value as text of an HTML page or of an attribute. */
export const escapedHtml = (value: string | number): string =>
  String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
