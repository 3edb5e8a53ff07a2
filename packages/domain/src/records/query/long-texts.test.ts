import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limits } from '../../limits.ts'
import { compareCodePoints, foldCase } from '../../values/text.ts'

/** Letters that fold to others, to those of ASCII too, and what patterns of SQL have a meaning for. */
const letter = fc.constantFrom(
  'a',
  'A',
  'k',
  '\u212a',
  's',
  '\u017f',
  'İ',
  'ς',
  'Σ',
  '%',
  '_',
  '\\',
)
const text = (length: number) =>
  fc.oneof(
    fc.string({ unit: letter, minLength: 1, maxLength: length }),
    fc.string({ unit: fc.constantFrom('a', 'A', '%'), minLength: 1, maxLength: length }),
  )

describeOnEveryStorage('long texts', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  const longText = { type: 'longText', name: 'Text' }
  const tableOf = (texts: readonly string[]) =>
    world.makeTable(
      'Texts',
      [longText],
      texts.map((Text) => ({ Text })),
    )
  const list = async (tableId: string, query: object) => {
    const { records } = await world.api.records.listRecords({ tableId, ...query })
    return records.map(({ fields }) => fields.Text as string)
  }

  test('[QUERY-7] [QUERY-16] have every part of them, whatever its letters and its length', async () => {
    const sought = fc.array(fc.tuple(text(200), fc.nat(), fc.integer({ min: 1, max: 150 })), {
      minLength: 1,
      maxLength: 8,
    })
    const property = fc.asyncProperty(sought, async (all) => {
      const texts = all.map(([one]) => one)
      const { id } = await tableOf(texts)
      for (const [one, from, length] of all) {
        const start = from % one.length
        const part = one.slice(start, start + length)
        const holding = texts.filter((other) => foldCase(other).includes(foldCase(part)))
        const item = { fieldId: 'Text', operator: 'contains', value: part }
        expect(await list(id, { filter: { conjunction: 'and', filterSet: [item] } })).toEqual(
          holding,
        )
        expect(await list(id, { search: [part, 'Text', true] })).toEqual(holding)
      }
    })
    await fc.assert(property, { numRuns: 15 })
  })

  test('[QUERY-12] are in the order of their first characters', async () => {
    const start = 'aB'.repeat(limits.sortLength / 2 - 1)
    const end = fc.array(text(4), { minLength: 2, maxLength: 12 })
    const property = fc.asyncProperty(end, async (ends) => {
      const texts = ends.map((one) => start + one)
      const { id } = await tableOf(texts)
      const keyOf = (one: string) => foldCase([...one].slice(0, limits.sortLength).join(''))
      const expected = texts.toSorted((a, b) => compareCodePoints(keyOf(a), keyOf(b)))
      expect(await list(id, { orderBy: [{ fieldId: 'Text', order: 'asc' }] })).toEqual(expected)
    })
    await fc.assert(property, { numRuns: 15 })
  })
})
