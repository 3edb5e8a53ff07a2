import { z } from 'zod'
import type { FieldType } from './field-type.ts'
import { fieldTypes } from './field-types.ts'

const options = new Map<string, z.ZodType>()

/** The schema of the type's options under the name by which the documentation refers to it. */
export function describedOptions(type: FieldType, suffix: 'Input' | ''): z.ZodType {
  const id = toComponentName(type.name, `Options${suffix}`)
  const known = options.get(id) ?? type.options.meta({ id })
  options.set(id, known)
  return known
}

/** Fields of any type, told apart by it: one schema for each type of the registry, named after it. */
export function fieldKinds(suffix: string, toKind: (type: FieldType) => z.ZodObject) {
  const kinds = [...fieldTypes.values()].map((type) =>
    toKind(type).meta({ id: toComponentName(type.name, suffix) }),
  )
  const [first, ...others] = kinds as [z.ZodObject, ...z.ZodObject[]]
  return z.discriminatedUnion('type', [first, ...others] as never)
}

/** The name of a part of the documentation: of `date` and `Field`, `DateField`. */
export function toComponentName(name: string, suffix: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}${suffix}`
}
