import type { FormulaField } from '@gateleg/domain/formulas/checking/checked'
import type {
  FormulaScalar,
  FormulaType,
  FormulaValue,
} from '@gateleg/domain/formulas/formula-type'
import type { FormulaRow } from '@gateleg/domain/formulas/runtime/evaluation'
import fc from 'fast-check'
import { finiteNumber, timestamp } from './field-options.ts'
import { storableText, trickyText } from './text.ts'

const formulaScalarTypes = ['string', 'number', 'boolean', 'dateTime'] as const

type ScalarType = (typeof formulaScalarTypes)[number]

/** The id of a field of a type, of the table that formulas under test belong to. */
export function formulaFieldId({ scalar, isMultiple }: FormulaType): string {
  return `fld${scalar}${isMultiple ? 'List' : 'One'}`.padEnd(19, '0')
}

const formats: Partial<Record<ScalarType, (value: FormulaScalar) => string>> = {
  number: (value) => `${value} kg`,
  dateTime: (value) => String(value).slice(0, 10),
}

/** A table with one field of each type, single and multiple; numbers and dates have a display form. */
export const formulaFields: ReadonlyMap<string, FormulaField> = new Map(
  formulaScalarTypes
    .flatMap((scalar) => [false, true].map((isMultiple) => ({ scalar, isMultiple })))
    .map((type) => {
      const format = formats[type.scalar]
      return [formulaFieldId(type), { type, ...(format ? { format } : {}) }]
    }),
)

export const formulaTimeZone = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Australia/Lord_Howe',
)

/** Texts that formulas are fond of: numbers, dates, names of units, patterns, any text. */
export const formulaText = fc.oneof(
  storableText(12),
  trickyText(12).map((text) => text.toWellFormed().replaceAll('\0', '')),
  fc.constantFrom('', 'a', 'b', 'aaa', 'ab', 'a, b', '12', '-1.5', '2024-03-05', '0001-01-01'),
  fc.constantFrom('day', 'month', 'Monday', 'YYYY-MM-DD', 'DD/MM/YY hh:mm a', '[a-c]+', '(a)(b?)'),
  timestamp,
)

export const formulaNumber = fc.oneof(
  fc.integer({ min: -20, max: 20 }),
  fc.double({ min: -1000, max: 1000, noNaN: true }),
  finiteNumber,
  fc.constantFrom(0, 1, -1, 0.5, 1e21, -1e300, 5e-324, Number.MAX_SAFE_INTEGER),
)

const scalars: Record<ScalarType, fc.Arbitrary<FormulaScalar>> = {
  string: formulaText,
  number: formulaNumber,
  boolean: fc.boolean(),
  dateTime: timestamp,
}

function cellOf({ scalar, isMultiple }: FormulaType): fc.Arbitrary<FormulaValue> {
  const item = fc.option(scalars[scalar], { freq: 5 })
  return isMultiple ? fc.option(fc.array(item, { maxLength: 4 }), { freq: 5 }) : item
}

/** A record of the table, some of its cells empty. */
export const formulaRow: fc.Arbitrary<FormulaRow> = fc
  .record({
    now: timestamp,
    recordId: fc.constant('recAAAAAAAAAAAAAAAA'),
    autoNumber: fc.nat(),
    createdTime: timestamp,
    lastModifiedTime: fc.option(timestamp),
    cells: fc.tuple(...[...formulaFields.values()].map(({ type }) => cellOf(type))),
  })
  .map(({ cells, ...row }) => {
    const cellsById = new Map([...formulaFields.keys()].map((id, index) => [id, cells[index]]))
    return { ...row, cell: (id: string) => cellsById.get(id) ?? null }
  })
