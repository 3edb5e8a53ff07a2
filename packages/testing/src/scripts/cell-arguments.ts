import type { FieldTypeName } from '@gateleg/domain/fields/field-type-name'
import { fieldTypes } from '@gateleg/domain/fields/field-types'
import { isComputed } from '@gateleg/domain/fields/field-values'
import fc from 'fast-check'
import { dependentFieldArbitraries } from '../arbitraries/dependent-field-options.ts'
import { type FieldArbitrary, fieldArbitraries } from '../arbitraries/field-options.ts'
import { trickyText } from '../arbitraries/text.ts'
import { oddValue, ref } from './arguments.ts'
import type { Ref } from './script.ts'
import type { KnownField, KnownTable, ScriptState } from './script-state.ts'

/** How callers address fields. */
export type FieldKeyType = 'name' | 'id' | 'dbFieldName'

export const fieldKeyType = fc.constantFrom<FieldKeyType>('name', 'id', 'dbFieldName')

/** What a step says about one cell. */
export interface CellArgs {
  /** Goes into a field of the type, if the table has one. */
  readonly type: FieldTypeName
  /** Which of those fields, counted round. */
  readonly nth: number
  /** JSON to send as it is. */
  readonly value?: unknown
  /** Choices of the field by their place, instead. */
  readonly choices?: readonly number[]
  /** People of the script, instead. */
  readonly people?: readonly Ref[]
  /** Records of the linked table, instead. */
  readonly records?: readonly Ref[]
  /** How those are named. */
  readonly by?: 'id' | 'object' | 'title'
}

type CellContent = Omit<CellArgs, 'type' | 'nth'>

/** Values that differ in little, so that unique fields meet some twice. */
const close = fc.constantFrom<unknown>(
  ...[0, -0, 1, 1.5, 1e308, 5e-324, 2 ** 53, 0.1, 0.1 + 0.2, -1, '0', '1.50', '1,5', '50%', '$3'],
  ...[
    'a',
    'A',
    'ä',
    'a\u0308',
    'a ',
    'ß',
    'ss',
    '\u{10ffff}',
    '\ufffd',
    'long '.repeat(600),
    '',
    'true',
    'yes',
  ],
  ...[
    '2026-01-01',
    '2026-01-01T00:00:00.000Z',
    '2026-01-01T00:00:00.0005Z',
    '0001-01-01',
    '31.12.99',
  ],
  ...['9999-12-31T23:59:59.999Z', '2024-02-30', null, true, false, [], ['a'], { count: 1 }],
)

const anyValue = fc.oneof(close, oddValue, trickyText())

const arbitraries: Partial<Record<FieldTypeName, FieldArbitrary>> = {
  ...fieldArbitraries,
  attachment: dependentFieldArbitraries.attachment,
}

const links = fc.record({
  records: fc.oneof(
    { weight: 12, arbitrary: fc.uniqueArray(ref, { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.array(ref, { maxLength: 3 }) },
  ),
  by: fc.constantFrom('id', 'id', 'id', 'object', 'title'),
})

function contentOf(type: FieldTypeName): fc.Arbitrary<CellContent> {
  const { choices, options } = fieldTypes.get(type) ?? {}
  const fitting = arbitraries[type]?.json(options?.parse({})) ?? anyValue
  const places = fc.uniqueArray(fc.nat({ max: 3 }), { maxLength: 3 })
  const people = fc.array(ref, { minLength: 1, maxLength: 2 })
  return fc.oneof(
    { weight: 12, arbitrary: fitting.map((value) => ({ value })) },
    { weight: 3, arbitrary: close.map((value) => ({ value })) },
    { weight: 1, arbitrary: anyValue.map((value) => ({ value })) },
    { weight: choices ? 40 : 0, arbitrary: places.map((choices) => ({ choices })) },
    { weight: type === 'user' ? 40 : 0, arbitrary: people.map((people) => ({ people })) },
    { weight: type === 'link' ? 100 : 0, arbitrary: links },
  )
}

/** Links are many, and what nobody can enter is rare: one such cell has the whole call refused. */
function weightOf(type: FieldTypeName): number {
  if (type === 'link') return 24
  return isComputed({ type, options: {}, isLookup: false, result: null }) ? 1 : 6
}

const cell: fc.Arbitrary<CellArgs> = fc.oneof(
  ...[...fieldTypes.keys()].map((type) => ({
    weight: weightOf(type),
    arbitrary: fc
      .tuple(fc.nat({ max: 3 }), contentOf(type))
      .map(([nth, content]) => ({ type, nth, ...content })),
  })),
)

export const cells = fc.array(cell, { maxLength: 4 })

/** The values of a record as callers send them. Cells that the table has no field for are left out. */
export function toValues(
  cells: readonly CellArgs[],
  table: KnownTable | undefined,
  keyType: FieldKeyType | undefined,
  known: ScriptState,
): object {
  const values = cells.flatMap((args) => {
    const ofType = table?.fields.there.filter(({ type }) => type === args.type) ?? []
    const entered = ofType.filter(({ isLookup }) => !isLookup)
    const fields = entered.length > 0 ? entered : ofType
    const field = fields[args.nth % fields.length]
    return field ? [[field[keyType ?? 'name'], toValue(args, field, known)] as const] : []
  })
  return Object.fromEntries(values)
}

/** One where there is one, a list where there are more: what a field holds that takes one or many. */
function toValue(args: CellArgs, field: KnownField, known: ScriptState) {
  const { value, choices, people, records } = args
  if (records) return toLinks(args, field, known)
  const all = field.options.choices ?? []
  const many =
    choices?.flatMap((place) => all[place % all.length]?.name ?? []) ??
    people?.map((person) => known.people.idOf(person))
  if (!many) return value
  return field.type === 'multipleSelect' || many.length > 1 ? many : (many[0] ?? null)
}

/** Records of the table that a field links to, as many as the field holds. */
function toLinks({ records = [], by }: CellArgs, field: KnownField, known: ScriptState) {
  const shelf = known.tableOf(field.options.foreignTableId)?.records
  const named = records.map((ref) => {
    const { id, name } = shelf?.find(ref) ?? { id: 'unknown' }
    if (by === 'title') return name ?? 'unknown'
    return by === 'object' ? { id, title: 'Whatever' } : id
  })
  const items = by === 'object' ? named : [...new Set(named)]
  return field.isMultipleCellValue ? items : (items[0] ?? null)
}
