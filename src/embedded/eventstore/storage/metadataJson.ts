const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** The JSON text of each property, by name. */
export type JsonProperties = ReadonlyMap<string, string>;

const isObject = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};

/**
 * The properties of a JSON object; undefined when the text is anything else. Their text is kept, because `JSON.parse` rounds
 * integers above 2^53.
 */
export const jsonProperties = (text: string): JsonProperties | undefined => {
  if (!isObject(text)) return undefined;
  const properties = new Map<string, string>();
  let depth = 0;
  let name: string | undefined;
  let start = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
    else if (depth === 1 && token === ':') start = index + 1;
    else if (depth === 1 && name === undefined && token !== ',') name = String(JSON.parse(token));
    const isEnd = depth === 0 || (depth === 1 && token === ',');
    if (isEnd && name !== undefined) {
      properties.set(name, text.slice(start, index).trim());
      name = undefined;
    }
  }
  return properties;
};

export const jsonOf = (properties: JsonProperties): string =>
  `{${[...properties].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
