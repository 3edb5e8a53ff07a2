import type { FieldTypeName } from '@gateleg/domain/fields/field-type-name'
import { hasMany, type Relationship, relationships } from '@gateleg/domain/fields/link-end'
import fc from 'fast-check'
import {
  dateFormatting,
  type FieldArbitrary,
  fieldArbitrary,
  numberFormatting,
  numberShowAs,
  optional,
  textShowAs,
  timeZoneName,
} from './field-options.ts'
import { storableText } from './text.ts'

/** The titles, by id, of the records that the cells name. */
export const recordTitlesById = {
  recPlain: 'Plain',
  recComma: 'Doe, Jane',
  recSame: 'Plain',
  recQuote: '"Q"',
  recNumber: '12',
  recUntitled: '',
}

const recordId = fc.constantFrom(...Object.keys(recordTitlesById))
const recordReference = fc.oneof(recordId, fc.record({ id: recordId, title: fc.string() }))

/** Cells of a link as they are kept: with the titles that their records have. */
export function linkCell(relationship: Relationship): fc.Arbitrary<object> {
  const item = recordId.map((id) => {
    const title = recordTitlesById[id as keyof typeof recordTitlesById]
    return title === '' ? { id } : { id, title }
  })
  if (!hasMany(relationship)) return item
  return fc.uniqueArray(item, { selector: ({ id }) => id, minLength: 1 })
}

const someText = storableText().map((text) => `x${text}`)
const pixels = fc.nat({ max: 10_000 })

/** A file as a caller may send it, or send back what was answered. */
const file = fc.record(
  {
    name: someText,
    token: someText,
    id: fc.stringMatching(/^[0-9a-zA-Z]{16}$/).map((id) => `act${id}`),
    path: someText,
    size: fc.nat(),
    mimetype: fc.constantFrom('image/png', 'text/plain'),
    width: pixels,
    height: pixels,
    presignedUrl: fc.webUrl(),
  },
  { requiredKeys: ['name', 'token'] },
)

const result = {
  timeZone: timeZoneName,
  formatting: fc.oneof(numberFormatting, dateFormatting),
  showAs: fc.oneof(numberShowAs, textShowAs),
}

/**
 * How to make fields and cells of the types that lean on other things: a linked table, stored files,
 * other fields. Whoever stores such fields has to see that those are there.
 */
export const dependentFieldArbitraries = {
  attachment: fieldArbitrary({
    options: fc.constant({}),
    json: () => fc.array(file, { maxLength: 5 }),
  }),
  link: fieldArbitrary<{ relationship: Relationship }>({
    options: fc
      .record({
        relationship: fc.constantFrom(...relationships),
        foreignTableId: fc.constant('tbl0000000000000001'),
      })
      .chain((required) =>
        optional({
          isOneWay: fc.boolean(),
          lookupFieldId: fc.constant('fld0000000000000001'),
          filterByViewId: fc.constantFrom(null, 'viw0000000000000001'),
          visibleFieldIds: fc.constantFrom(null, ['fld0000000000000001']),
        }).map((rest) => ({ ...required, ...rest })),
      ),
    json: ({ relationship }) =>
      hasMany(relationship)
        ? fc.uniqueArray(recordReference, {
            selector: (record) => (typeof record === 'string' ? record : record.id),
          })
        : recordReference,
  }),
  formula: fieldArbitrary({
    options: optional(result).map((rest) => ({ expression: '1 + 1', ...rest })),
    json: () => fc.constant(null),
  }),
  rollup: fieldArbitrary({
    options: optional({ expression: fc.constant('sum({values})'), ...result }),
    json: () => fc.constant(null),
  }),
} satisfies Partial<Record<FieldTypeName, FieldArbitrary>>
