import fc from 'fast-check'
import { expect, test } from 'vitest'
import { flag, json, nullableJson, optional, optionalJson } from './column-codecs.ts'
import { columnsFor } from './table-columns.ts'

interface Thing {
  readonly id: string
  readonly icon: string | null
  readonly isLarge: boolean
  readonly size: number | undefined
  readonly tags: readonly string[]
  readonly origin: { readonly place: string } | null
  readonly reach: readonly string[] | undefined
}

const columns = columnsFor<Thing>()(
  {
    id: 'id',
    icon: 'icon',
    isLarge: flag('is_large'),
    size: optional('size'),
    tags: json('tags'),
    origin: nullableJson('origin'),
    reach: optionalJson('reach'),
  },
  { first_tag: ({ tags }: Thing) => tags[0] ?? null },
)

const plain = { noNullPrototype: true }

const thing: fc.Arbitrary<Thing> = fc.record(
  {
    id: fc.string(),
    icon: fc.option(fc.string()),
    isLarge: fc.boolean(),
    size: fc.option(fc.integer(), { nil: undefined }),
    tags: fc.array(fc.string()),
    origin: fc.option(fc.record({ place: fc.string() }, plain)),
    reach: fc.option(fc.array(fc.string()), { nil: undefined }),
  },
  plain,
)

test('[STORE-64] a row always keeps what it was made of, whatever else is read with it', () => {
  fc.assert(
    fc.property(thing, (one) => {
      const row = columns.toRow(one)
      expect(Object.keys(row)).toEqual(columns.names)
      expect(row.first_tag).toBe(one.tags[0] ?? null)
      const stored = { ...row, is_large: Number(row.is_large), deletion_id: 'opr1' }
      expect(columns.toEntity(stored)).toStrictEqual(one)
      const prefixed = Object.entries(stored).map(([name, value]) => [`its_${name}`, value])
      expect(columns.reader('its_')({ ...Object.fromEntries(prefixed), id: 'x' })).toStrictEqual(
        one,
      )
    }),
  )
})

test('[STORE-64] columns are named once each, and told by what they hold', () => {
  expect(columns.flags).toEqual(['is_large'])
  expect(columns.except('id', 'first_tag', 'tags')).toEqual([
    ...['icon', 'is_large', 'size', 'origin', 'reach'],
  ])
})
