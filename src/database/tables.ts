/** Every table of the product, by `schema.name`; each room declares its own. */
export type Tables = Record<never, never>;
