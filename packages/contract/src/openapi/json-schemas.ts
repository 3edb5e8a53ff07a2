import { assert } from '@gateleg/domain/errors'
import { descriptionOf } from '@gateleg/domain/input/described-as'
import { z } from 'zod'

/** A part of the document. */
export type Json = Readonly<Record<string, unknown>>

/** The schema of any text. */
export const textSchema = { type: 'string' }

/** A JSON Schema, as far as the document is put together from parts of it. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
}

const componentsPath = '#/components/schemas/'

/**
 * JSON Schemas of zod schemas. Those that have an id become components of that name and are referred to; so are
 * those that refer to themselves, under the name of what they are part of.
 */
export class JsonSchemas {
  /** By name, for `components.schemas`. */
  readonly components: Record<string, JsonSchema> = {}

  /** The schema of what is sent (`input`) or answered (`output`). The name is for its definitions. */
  of(schema: z.ZodType, io: 'input' | 'output', name: string): JsonSchema {
    const described = descriptionOf(schema) ?? schema
    const { $schema, $defs, ...root } = z.toJSONSchema(described, {
      io,
      target: 'draft-2020-12',
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        delete jsonSchema.id
        dropSafeBounds(jsonSchema)
        const shown = descriptionOf(zodSchema as unknown as z.ZodType)
        if (!shown || zodSchema === (described as unknown)) return
        for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword]
        Object.assign(jsonSchema, this.of(shown, io, name))
      },
    })
    const nameOf = (key: string) => (key.startsWith('__') ? `${name}_${key}` : key)
    let refersToRoot = false
    const rename = (reference: string) => {
      if (reference === '#') {
        refersToRoot = true
        return `${componentsPath}${name}`
      }
      const [, key] = /^#\/\$defs\/(.*)$/.exec(reference) ?? []
      return key === undefined ? reference : `${componentsPath}${nameOf(key)}`
    }
    const definitions = Object.entries($defs ?? {}).map(
      ([key, definition]) =>
        [nameOf(key), withReferences(definition, rename) as JsonSchema] as const,
    )
    // A discriminator is told of what its options say, so they come first.
    const byKind = definitions.toSorted(([, a], [, b]) => optionsFirst(a) - optionsFirst(b))
    for (const [key, definition] of byKind) this.#add(key, definition)
    const named = withReferences(root, rename) as JsonSchema
    if (refersToRoot) this.#add(name, named)
    return named
  }

  /** The schema that is meant where one refers to a component. */
  resolve(schema: JsonSchema): JsonSchema {
    const { $ref } = schema
    if (typeof $ref !== 'string') return schema
    const component = this.components[$ref.slice(componentsPath.length)]
    assert(component, `there is a component for ${$ref}`)
    return component
  }

  /** The schema without the members; in a union, without them in each option. */
  without(schema: JsonSchema, names: readonly string[]): JsonSchema {
    const rest: Record<string, unknown> = { ...schema }
    if (schema.properties) {
      rest.properties = Object.fromEntries(
        Object.entries(schema.properties).filter(([name]) => !names.includes(name)),
      )
      rest.required = (schema.required ?? []).filter((name) => !names.includes(name))
    }
    for (const keyword of unions) {
      const options = schema[keyword] as readonly JsonSchema[] | undefined
      if (options) rest[keyword] = options.map((option) => this.without(option, names))
    }
    const parts = rest.allOf as readonly JsonSchema[] | undefined
    const [part, ...others] = parts?.filter((one) => this.hasMembers(one)) ?? []
    return part && others.length === 0 ? part : rest
  }

  /** Whether a value of the schema can have members. */
  hasMembers(schema: JsonSchema): boolean {
    return Object.keys(this.membersOf(schema)).length > 0
  }

  /** The members of an object schema by name; of a union, those of all its options. */
  membersOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
    const { properties, ...rest } = this.resolve(schema)
    const nested = unions.flatMap((keyword) => (rest[keyword] ?? []) as readonly JsonSchema[])
    return Object.assign({}, ...nested.map((one) => this.membersOf(one)), properties)
  }

  /** Whether the schema refuses an empty object; of a union, whether each option does. */
  isRequired(schema: JsonSchema): boolean {
    const { required = [], anyOf, oneOf, allOf } = this.resolve(schema)
    const options = (anyOf ?? oneOf ?? []) as readonly JsonSchema[]
    const parts = (allOf ?? []) as readonly JsonSchema[]
    return (
      required.length > 0 ||
      parts.some((one) => this.isRequired(one)) ||
      (options.length > 0 && options.every((one) => this.isRequired(one)))
    )
  }

  /** One name stands for one schema: what is sent and what is answered have different ones where they differ. */
  #add(name: string, schema: JsonSchema): void {
    const component = this.#withMapping(schema)
    const known = this.components[name]
    const isSame = known === undefined || JSON.stringify(known) === JSON.stringify(component)
    assert(isSame, `the schemas called ${name} are the same`)
    this.components[name] = component
  }

  /** Programs that read the document find the option for a value of the discriminator by this. */
  #withMapping(schema: JsonSchema): JsonSchema {
    const { discriminator, oneOf } = schema
    if (!discriminator) return schema
    const { propertyName } = discriminator as { readonly propertyName: string }
    const mapping = (oneOf as readonly JsonSchema[]).map((option) => [
      this.membersOf(option)[propertyName]?.const,
      option.$ref,
    ])
    return { ...schema, discriminator: { propertyName, mapping: Object.fromEntries(mapping) } }
  }
}

/** That a whole number is one that programs can hold says nothing of it, and programs make examples of the bounds. */
function dropSafeBounds(schema: { minimum?: number; maximum?: number }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}

const optionsFirst = ({ discriminator }: JsonSchema) => (discriminator === undefined ? 0 : 1)

const unions = ['anyOf', 'oneOf', 'allOf'] as const

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
