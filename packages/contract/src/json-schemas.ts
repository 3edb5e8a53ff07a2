import { z } from 'zod'

/** A JSON Schema, as far as the document is put together from parts of it. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
}

/** JSON Schemas of zod schemas; definitions they share within themselves become named components. */
export class JsonSchemas {
  /** By name, for `components.schemas`. */
  readonly components: Record<string, JsonSchema> = {}

  /** The schema of what is sent (`input`) or answered (`output`). The name is for its definitions. */
  of(schema: z.ZodType, io: 'input' | 'output', name: string): JsonSchema {
    const { $schema, $defs, ...root } = z.toJSONSchema(schema, {
      io,
      target: 'draft-2020-12',
      unrepresentable: 'any',
    })
    const rename = (reference: string) =>
      reference === '#'
        ? `#/components/schemas/${name}`
        : reference.replace('#/$defs/', `#/components/schemas/${name}_`)
    for (const [key, definition] of Object.entries($defs ?? {})) {
      this.components[`${name}_${key}`] = withReferences(definition, rename) as JsonSchema
    }
    const named = withReferences(root, rename) as JsonSchema
    if (JSON.stringify(named).includes(`"#/components/schemas/${name}"`)) {
      this.components[name] = named
    }
    return named
  }
}

/** The schema without the members; in a union, without them in each option. */
export function withoutMembers(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const rest: Record<string, unknown> = { ...schema }
  if (schema.properties) {
    rest.properties = Object.fromEntries(
      Object.entries(schema.properties).filter(([name]) => !names.includes(name)),
    )
    rest.required = (schema.required ?? []).filter((name) => !names.includes(name))
  }
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    const options = schema[keyword]
    if (Array.isArray(options)) {
      rest[keyword] = options.map((option: JsonSchema) => withoutMembers(option, names))
    }
  }
  return rest
}

/** The members of an object schema by name; of a union, those of all its options. */
export function membersOfJsonSchema(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const nested = ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => schema[keyword] ?? [])
  return Object.assign({}, ...nested.map((s) => membersOfJsonSchema(s as JsonSchema)), {
    ...schema.properties,
  })
}

function withReferences(node: unknown, rename: (reference: string) => string): unknown {
  if (Array.isArray(node)) return node.map((item) => withReferences(item, rename))
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node)
      .filter(([, value]) => !isNotYet(value))
      .map(([key, value]) => [
        key,
        key === '$ref' && typeof value === 'string' ? rename(value) : withReferences(value, rename),
      ]),
  )
}

/** Whether it is the schema of what isn't built yet; see `notYet`. */
function isNotYet(node: unknown): boolean {
  return typeof node === 'object' && node !== null && 'x-not-yet' in node
}
