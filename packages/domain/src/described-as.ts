import type { z } from 'zod'

const descriptions = new WeakMap<z.ZodType, () => z.ZodType>()

/**
 * Has the documentation show another schema than the one that inputs and answers are read by: one that says more, and
 * would cost too much at each call. It is made when the documentation asks for it, once. Answers the first schema.
 */
export function describedAs<Schema extends z.ZodType>(
  schema: Schema,
  describe: () => z.ZodType,
): Schema {
  let described: z.ZodType | undefined
  descriptions.set(schema, () => {
    described ??= describe()
    return described
  })
  return schema
}

/** The schema that the documentation shows in the place of this one; undefined where it shows this one. */
export function descriptionOf(schema: z.ZodType): z.ZodType | undefined {
  return descriptions.get(schema)?.()
}
