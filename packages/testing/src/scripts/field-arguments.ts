import { type FieldTypeName, fieldTypeNames } from '@gateleg/domain/fields/field-type-name'
import fc from 'fast-check'
import {
  dateFormatting,
  type FieldArbitrary,
  fieldArbitraries,
  numberFormatting,
  numberShowAs,
  textShowAs,
  timeZoneName,
} from '../arbitraries/field-options.ts'
import { description, name, oddValue, ref, some } from './arguments.ts'
import { expression, toExpression } from './expression-arguments.ts'
import {
  type LinkArgs,
  linkArgs,
  linkOptions,
  type ReadingArgs,
  readingArgs,
  rollupExpression,
  toLinkOptions,
  toReading,
} from './link-arguments.ts'
import type { Ref } from './script.ts'
import type { KnownTable, ScriptState } from './script-state.ts'

/** What a step says about a field to be made. */
export interface FieldArgs {
  /** `source` for the type of the field that a lookup reads. */
  readonly type: string
  readonly options?: object
  readonly link?: LinkArgs
  readonly reading?: ReadingArgs
  /** The expression of a formula, with placeholders for fields. */
  readonly expression?: string
  /** Fields of the table that it follows. */
  readonly tracked?: readonly Ref[]
  /** Has it filled by a model that reads another field of the table; null for none. */
  readonly ai?: { readonly source: Ref } | null
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

/** How a model would fill the field: from a field of the table, or of the one that it will be in. */
const ai = fc.constantFrom(null, { source: 0 })

const optionalMembers = {
  name,
  description,
  dbFieldName,
  unique: fc.boolean(),
  notNull: fc.boolean(),
  ai,
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

/** How values are shown that follow from others; it fits some kinds of values. */
const display = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: some({
      formatting: fc.oneof(numberFormatting, dateFormatting),
      showAs: fc.oneof(numberShowAs, textShowAs),
    }),
  },
)
const timeZone = fc.record({ timeZone: timeZoneName }, { requiredKeys: [] })

/** Few members besides, so that most are made: these are refused for reasons of their own often enough. */
const fewMembers = fc.oneof(
  { weight: 6, arbitrary: fc.record({ name }, { requiredKeys: [] }) },
  { weight: 1, arbitrary: members },
)

export const linkField: fc.Arbitrary<FieldArgs> = fc
  .tuple(fewMembers, linkOptions, linkArgs)
  .map(([most, options, link]) => ({ type: 'link', ...most, options, link }))

export const lookupField: fc.Arbitrary<FieldArgs> = fc
  .tuple(
    fc.oneof(
      { weight: 12, arbitrary: fc.constant('source') },
      { weight: 1, arbitrary: fc.constantFrom(...fieldTypeNames) },
    ),
    fewMembers,
    display,
    readingArgs,
  )
  .map(([type, most, options, reading]) => ({ type, isLookup: true, ...most, options, reading }))

export const rollupField: fc.Arbitrary<FieldArgs> = fc
  .tuple(fewMembers, rollupExpression, display, timeZone, readingArgs)
  .map(([most, expression, shown, zone, reading]) => ({
    type: 'rollup',
    ...most,
    options: { expression, ...shown, ...zone },
    reading,
  }))

export const formulaField: fc.Arbitrary<FieldArgs> = fc
  .tuple(fewMembers, expression, display, timeZone)
  .map(([most, expression, shown, zone]) => ({
    type: 'formula',
    ...most,
    options: { ...shown, ...zone },
    expression,
  }))

/** A field of any type; some without what the type can't be without. */
export const fieldArgs: fc.Arbitrary<FieldArgs> = fc.oneof(
  ...fieldTypeNames.map((type) => ({
    weight: type in available ? 6 : 1,
    arbitrary: fieldOf(type),
  })),
  { weight: 3, arbitrary: fieldOf('attachment') },
  { weight: 24, arbitrary: linkField },
  { weight: 16, arbitrary: lookupField },
  { weight: 12, arbitrary: rollupField },
  { weight: 18, arbitrary: formulaField },
)

/** What is sent of a field to be made, in part. */
interface Definition {
  readonly type: FieldTypeName
  readonly id?: string
  readonly name?: string
  readonly options?: object
}

/** The definition of a field, as callers send it; the table is the one that it is or will be in. */
export function toDefinition(
  { tracked, ai, clientId, link, reading, expression, type, ...definition }: FieldArgs,
  known: ScriptState,
  table?: KnownTable,
): Definition {
  const trackedFieldIds = tracked?.map((one) => table?.fields.idOf(one) ?? 'unknown')
  const read = reading && toReading(reading, known, table)
  const options = {
    ...(trackedFieldIds && { trackedFieldIds }),
    ...(link && toLinkOptions(link, known, table)),
    ...(expression !== undefined && { expression: toExpression(expression, table) }),
  }
  const hasOptions = definition.options !== undefined || Object.keys(options).length > 0
  return {
    ...definition,
    type: (type === 'source' ? (read?.read?.type ?? 'singleLineText') : type) as FieldTypeName,
    ...(hasOptions && { options: { ...definition.options, ...options } }),
    ...(ai !== undefined && { aiConfig: ai && toAiConfig(ai.source, table) }),
    ...(read && { lookupOptions: read.lookupOptions }),
    ...(clientId !== undefined && { id: `fld${known.mark}0000000${clientId}` }),
  }
}

function toAiConfig(source: Ref, table: KnownTable | undefined): object {
  const sourceFieldId = table?.fields.idOf(source) ?? 'unknown'
  return { type: 'rating', modelKey: 'm', sourceFieldId }
}
