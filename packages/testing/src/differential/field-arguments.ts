import { type FieldTypeName, fieldTypeNames } from '@gateleg/domain/fields/field-type'
import fc from 'fast-check'
import { type FieldArbitrary, fieldArbitraries } from '../arbitraries/field-options.ts'
import { description, name, oddValue, ref } from './arguments.ts'
import type { KnownTable, KnownThings } from './known-things.ts'
import type { Ref } from './script.ts'

/** What a step says about a field to be made. */
export interface FieldArgs {
  readonly type: string
  readonly options?: object
  /** Fields of the table that it follows. */
  readonly tracked?: readonly Ref[]
  /** Gives the field an id that its maker chose, of which there are few. */
  readonly clientId?: number
  readonly [member: string]: unknown
}

const available: Partial<Record<FieldTypeName, FieldArbitrary>> = fieldArbitraries

const dbFieldName = fc.constantFrom(
  ...[
    'plan',
    'Plan',
    'PLAN',
    'a b',
    'rowid',
    'CTID',
    'oid',
    '__id',
    'select',
    '1st',
    'x'.repeat(63),
  ],
  ...['x'.repeat(64), '', 'ä', 'Name', 'name'],
)

const aiConfig = fc.constantFrom(null, { type: 'rating', modelKey: 'm', sourceFieldId: 'f' })

const optionalMembers = {
  name,
  description,
  dbFieldName,
  unique: fc.boolean(),
  notNull: fc.boolean(),
  aiConfig,
  isLookup: fc.constant(true),
  clientId: fc.nat({ max: 2 }),
  tracked: fc.uniqueArray(ref, { maxLength: 2 }),
}

/** Mostly the type and one or two members more: with all of them, hardly any field were made. */
const members = fc.oneof(
  { weight: 4, arbitrary: fc.record({ name }, { requiredKeys: [] }) },
  { weight: 2, arbitrary: fc.record({ name, unique: fc.boolean() }, { requiredKeys: [] }) },
  { weight: 1, arbitrary: fc.record({ name, notNull: fc.boolean() }, { requiredKeys: [] }) },
  { weight: 2, arbitrary: fc.record({ name, dbFieldName, description }, { requiredKeys: [] }) },
  { weight: 1, arbitrary: fc.record(optionalMembers, { requiredKeys: [] }) },
)

function fieldOf(type: FieldTypeName): fc.Arbitrary<FieldArgs> {
  const options = available[type]?.options ?? fc.constant({})
  const wrong = fc.dictionary(fc.constantFrom('choices', 'max', 'defaultValue'), oddValue)
  const withOptions = fc.oneof(
    { weight: 2, arbitrary: fc.constant({}) },
    { weight: 4, arbitrary: options.map((options) => ({ options })) },
    { weight: 1, arbitrary: wrong.map((options) => ({ options })) },
  )
  const follows = type.startsWith('lastModified')
    ? fc.record({ tracked: optionalMembers.tracked }, { requiredKeys: [] })
    : fc.constant({})
  return fc
    .tuple(members, withOptions, follows)
    .map(([most, options, tracked]) => ({ type, ...most, ...options, ...tracked }))
}

/** A field of any type, those that are not available yet among them. */
export const fieldArgs: fc.Arbitrary<FieldArgs> = fc.oneof(
  ...fieldTypeNames.map((type) => ({
    weight: type in available ? 6 : 1,
    arbitrary: fieldOf(type),
  })),
)

/** The definition of a field, as callers send it. */
export function toDefinition(
  { tracked, clientId, ...definition }: FieldArgs,
  { mark }: KnownThings,
  table?: KnownTable,
): object {
  const trackedFieldIds = tracked?.map((one) => table?.fields.idOf(one) ?? 'unknown')
  return {
    ...definition,
    ...(trackedFieldIds && { options: { ...definition.options, trackedFieldIds } }),
    ...(clientId !== undefined && { id: `fld${mark}0000000${clientId}` }),
  }
}
