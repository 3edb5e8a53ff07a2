import type { z } from 'zod'

const descriptions = new WeakMap<z.ZodType, () => z.ZodType>()

/**
 * Makes the documentation show another schema than the one that validates inputs and answers: one that says more, but
 * would cost too much at each call. The other schema is made once, when the documentation needs it. Answers the first
 * schema.
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
