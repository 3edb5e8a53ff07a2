import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { findCircle } from '../../../schemas/find-circle.ts'
import type { Field } from '../../field.ts'

/** Repositories whose every call is counted, and the computations that every schema makes. */
const counted = ['fields', 'tables', 'records', 'calculations', 'jobs'] as const

describeOnEveryStorage('what a change of a field takes that many others follow from', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  beforeAll(async () => {
    await world.finishJobs()
  })
  afterEach(() => world.clear())

  /** How often the work calls what of the storage. */
  const callsOf = async (work: () => Promise<unknown>) => {
    const calls = new Map<string, number>()
    const spies: { mockRestore(): void }[] = []
    const spyOn = (prototype: Record<string, () => unknown>) => {
      for (const name of Object.getOwnPropertyNames(prototype)) {
        const { value } = Object.getOwnPropertyDescriptor(prototype, name) ?? {}
        if (name === 'constructor' || typeof value !== 'function') continue
        const spy = vi.spyOn(prototype, name).mockImplementation(function (this: unknown, ...args) {
          calls.set(name, (calls.get(name) ?? 0) + 1)
          return value.apply(this, args)
        })
        spies.push(spy)
      }
    }
    await world.engine.store.write(async (tx) => {
      for (const name of counted) spyOn(Object.getPrototypeOf(tx[name]))
    })
    try {
      await work()
    } finally {
      for (const spy of spies) spy.mockRestore()
    }
    return calls
  }
  const makeChain = (length: number) =>
    world.makeTable(
      `Chain ${length}`,
      [
        { type: 'number', name: 'F0' },
        ...Array.from({ length }, (_, n) => ({
          type: 'formula',
          name: `F${n + 1}`,
          options: { expression: `{F${n}}` },
        })),
      ],
      [{ F0: 1 }],
    )
  /** The same over links, for which there is a field in each of two tables. */
  const makeLookups = async (count: number) => {
    const read = await world.makeNames(`Read ${count}`, 'a')
    const table = await world.makeNames(`Reading ${count}`, 'b')
    const options = { relationship: 'manyOne', foreignTableId: read.id, isOneWay: true }
    const { id: linkFieldId } = await world.addField(table, { type: 'link', options })
    const { id: lookupFieldId } = await world.fieldOf(read, 'Count')
    for (let n = 0; n < count; n++) {
      const lookupOptions = { linkFieldId, foreignTableId: read.id, lookupFieldId }
      await world.addField(table, { type: 'number', name: `L${n}`, isLookup: true, lookupOptions })
    }
    return { read, table }
  }

  const onceEach = ['schemaOf', 'changeSchema', 'updateAll', 'setPending', 'countColumns']
  const expectFlat = (few: Map<string, number>, many: Map<string, number>) => {
    for (const name of onceEach) {
      expect([name, many.get(name) ?? 0]).toEqual([name, few.get(name) ?? 0])
    }
  }

  test('[FIELD-210] its conversion stores those, and reads their table again, once for all of them', async () => {
    const calls = async (length: number) => {
      const table = await makeChain(length)
      const made = await callsOf(() => world.convert(table, 'F0', { type: 'singleLineText' }))
      expect(await world.fieldOf(table, `F${length}`)).toMatchObject({ cellValueType: 'string' })
      expect(await world.cellsOf(table, `F${length}`)).toEqual(['1.00'])
      return made
    }
    const [few, many] = [await calls(4), await calls(60)]
    expectFlat(few, many)
    expect(few.get('changeSchema')).toBe(2)
    expect(few.get('updateAll')).toBe(1)
    // The columns of other kind are made one after another.
    const total = (of: Map<string, number>) => [...of.values()].reduce((sum, count) => sum + count)
    expect(total(many) - total(few)).toBeLessThanOrEqual(2 * (60 - 4))
  })

  test('[FIELD-210] so does its deletion', async () => {
    const calls = async (length: number) => {
      const table = await makeChain(length)
      const { id: fieldId } = await world.fieldOf(table, 'F1')
      const made = await callsOf(() => world.api.fields.deleteField({ tableId: table.id, fieldId }))
      expect(await world.fieldOf(table, 'F2')).toMatchObject({ hasError: true })
      expect(await world.cellsOf(table, `F${length}`)).toEqual([null])
      return made
    }
    const [few, many] = [await calls(4), await calls(60)]
    expect([...many]).toEqual([...few])
  })

  test('[FIELD-210] so does its conversion where lookups of another table read it', async () => {
    const calls = async (count: number) => {
      const { read, table } = await makeLookups(count)
      const made = await callsOf(() => world.convert(read, 'Count', { type: 'singleLineText' }))
      expect(await world.fieldOf(table, 'L1')).toMatchObject({ type: 'singleLineText' })
      return made
    }
    expectFlat(await calls(2), await calls(20))
  })

  test('[FIELD-210] so does the deletion of their table', async () => {
    const calls = async (count: number) => {
      const { read, table } = await makeLookups(count)
      const { baseId } = world
      const input = { baseId, tableId: read.id }
      const made = await callsOf(() => world.api.tables.deleteTable(input))
      expect(await world.fieldOf(table, 'L1')).toMatchObject({ hasError: true })
      return made
    }
    expect([...(await calls(20))]).toEqual([...(await calls(2))])
  })
})

const fieldOf = (id: string, ...reads: readonly string[]) =>
  ({
    id,
    tableId: 'tbl',
    type: 'formula',
    lookupOptions: null,
    options: { expression: reads.map((read) => `{${read}}`).join(' & ') },
  }) as unknown as Field

test('[FIELD-211] a way back to a field is looked for through each of the others once', async () => {
  const length = 300
  const fields = Array.from({ length }, (_, n) =>
    fieldOf(`f${n}`, ...[n - 1, n - 2].filter((one) => one >= 0).map((one) => `f${one}`)),
  )
  const byId = new Map(fields.map((field) => [field.id, field]))
  let looks = 0
  const find = async (_tableId: string, id: string) => {
    looks++
    return byId.get(id)
  }
  const free = new Set<string>()
  for (const field of fields) expect(await findCircle(find, field, free)).toBeUndefined()
  expect(looks).toBeLessThan(2 * length)
  expect(free.size).toBe(length)
  // One that is free, and then reads what follows from it, is not.
  const [first] = fields as [Field]
  byId.set(first.id, fieldOf('f0', 'f9'))
  const circle = await findCircle(find, fieldOf('f0', 'f9'), free)
  expect(circle?.at(0)?.id).toBe('f0')
  expect(circle?.at(-1)?.id).toBe('f0')
  expect(circle?.length).toBeGreaterThan(3)
})
