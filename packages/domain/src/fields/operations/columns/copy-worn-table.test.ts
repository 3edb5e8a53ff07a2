import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { recordsPerSlice, withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import type { WriteTx } from '../../../store.ts'
import { placeOfRecords } from '../../../tables/table.ts'
import { findWornTables, rebuildTable } from './rebuild-table.ts'

const emptyColumns = 4
const lowered = {
  columnsOfWornTable: 10,
  columnsEmptyOfWornTable: emptyColumns,
  emptyColumnsOfType: 1,
  recordsCopiedAgain: 3,
  ...recordsPerSlice(3),
}

/** Milliseconds for which others' snapshots are waited for, of tests that run at the same time. */
const patienceMs = 60_000

describeOnEveryStorage('a table whose columns are worn', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let revisions = 0
  afterEach(() => world.clear())

  const jobId = ({ id }: TestTable) => `${rebuildTable.name}:${id}`
  const contextOf = (table: TestTable, tx: WriteTx, failures = 0) => ({
    ...{ tx, nowMs: world.clock.now(), jobId: jobId(table), failures },
    ids: { revision: () => `copy ${revisions++}` },
  })
  const step = (table: TestTable, failures = 0) =>
    withLimits(lowered, () =>
      world.engine.store.write((tx) => rebuildTable.run(contextOf(table, tx, failures) as never)),
    )
  const find = (table: TestTable) =>
    world.engine.store.write((tx) => tx.tableRebuilds.find(table.id))
  const physicalOf = (table: TestTable) =>
    world.engine.store.read(async (tx) => {
      const found = await tx.tables.findOrTrash(table.id, 'none')
      if (!found) throw new Error('the table is there')
      const columns = await tx.fields.countColumns(placeOfRecords(found))
      return { columns, rebuiltName: found.rebuiltName }
    })
  const isCopied = () => world.engine.store.write(async (tx) => !tx.fields.retypes)

  /** What the base holds, which no step may change; it has no problems. */
  async function hash(): Promise<string> {
    const { hash: found, problems } = await world.api.bases.verifyBase({ baseId: world.baseId })
    expect(problems).toEqual([])
    return found
  }

  /** Does a step, after which everything is as it was. */
  async function stepUnseen(table: TestTable) {
    const before = await hash()
    const left = await step(table)
    expect(await hash()).toBe(before)
    return left
  }

  async function stepsUntilOver(table: TestTable): Promise<void> {
    for (const until = Date.now() + patienceMs; Date.now() < until; ) {
      if ((await stepUnseen(table)) === 'over') return
    }
    throw new Error('the table is rebuilt in the end')
  }

  /** Steps as long as the table isn't that far. */
  async function stepsUntil(table: TestTable, isThere: 'isReady' | 'isExchanged'): Promise<void> {
    for (let steps = 0; steps < 100; steps++) {
      if ((await find(table))?.[isThere]) return
      await stepUnseen(table)
    }
    throw new Error('the table is rebuilt step by step')
  }

  /** A table with records, a unique field, a formula, and columns that are empty and of no field. */
  async function wornTable(
    records: number | readonly object[] = 8,
    more: readonly object[] = [],
  ): Promise<TestTable> {
    const fields = [
      { type: 'singleLineText', name: 'Name' },
      { type: 'number', name: 'Count' },
      { type: 'singleLineText', name: 'Code', unique: true },
      ...more,
    ]
    const rows =
      typeof records === 'number'
        ? Array.from({ length: records }, (_, n) => ({
            ...{ Name: `name ${n}`, Count: n, Code: `code ${n}` },
          }))
        : records
    const table = await world.makeTable('Worn', fields, rows)
    const { id: countId } = await world.fieldOf(table, 'Count')
    const expression = `{${countId}} * 2`
    await world.addField(table, { type: 'formula', name: 'Double', options: { expression } })
    await wearOut(table)
    return table
  }

  async function wearOut(table: TestTable): Promise<void> {
    const fieldIds: string[] = []
    for (let n = 0; n < emptyColumns; n++) {
      fieldIds.push((await world.addField(table, { type: 'checkbox', name: `Gone ${n}` })).id)
    }
    await world.change(table, table.recordIds[0], { 'Gone 0': true })
    await world.api.fields.deleteFields({ tableId: table.id, fieldIds })
    await world.api.trash.resetTrash({ resourceId: table.id, resourceType: 'table' })
    await world.finishJobs()
  }

  type Script = (table: TestTable, numbers: readonly number[]) => Promise<unknown>
  const recordIdsOf = async (table: TestTable) =>
    (await world.api.records.listRecords({ tableId: table.id, take: 100 })).records.map(
      ({ id }) => id,
    )
  const oneOf = async (table: TestTable, number: number) => {
    const ids = await recordIdsOf(table)
    return ids[number % ids.length]
  }
  let named = 0

  /** What may happen to a table between two steps; refusals of the operations are as they always are. */
  const deeds: Readonly<Record<string, Script>> = {
    step: stepUnseen,
    crash: async (table) => {
      const before = await hash()
      const dying = world.engine.store.write(async (tx) => {
        await withLimits(lowered, () => rebuildTable.run(contextOf(table, tx) as never))
        throw new Error('the process dies')
      })
      await expect(dying).rejects.toThrow()
      expect(await hash()).toBe(before)
    },
    create: (table) => world.add(table, { Name: 'new', Code: `code n${named++}` }),
    update: async (table, [which = 0, value = 0]) =>
      world.change(table, await oneOf(table, which), { Count: value }, true),
    swap: async (table, [which = 0, other = 0]) => {
      const [one, two] = [await oneOf(table, which), await oneOf(table, other)]
      if (!one || !two || one === two) return
      const before = await world.recordOf(table, one)
      await world.change(table, one, { Code: null })
      const taken = await world.recordOf(table, two)
      await world.change(table, two, { Code: before.Code })
      await world.change(table, one, { Code: taken.Code })
    },
    remove: async (table, [which = 0]) => world.remove(table, await oneOf(table, which)),
    restore: async (table) => {
      const { trashItems } = await world.api.trash.listTrashItems({
        ...{ resourceId: table.id, resourceType: 'table' },
      })
      const [first] = trashItems
      if (first) await world.api.trash.restoreTrash({ trashId: first.id })
    },
    purge: (table) => world.api.trash.resetTrash({ resourceId: table.id, resourceType: 'table' }),
    convert: async (table, [which = 0]) => {
      const type = ['number', 'singleLineText', 'rating'][which % 3]
      await world.convert(table, 'Count', { type })
    },
    addField: async (table, [which = 0]) => {
      const type = ['singleLineText', 'number', 'date'][which % 3]
      await world.addField(table, { type, name: `More ${named++}` })
    },
    removeField: async (table) => {
      const fields = await world.api.fields.listFields({ tableId: table.id })
      const more = fields.find(({ name }) => name.startsWith('More'))
      if (more) await world.api.fields.deleteField({ tableId: table.id, fieldId: more.id })
    },
    repeat: async (table, [which = 0, other = 0]) => {
      const [unique, type] = [which % 2 === 0, other % 3 === 0 ? 'number' : 'singleLineText']
      await world.convert(table, 'Code', { type, unique })
    },
    jobs: () => world.finishJobs(),
  }
  const ofBackground = new Set(['step', 'crash', 'jobs'])
  const names = Object.keys(deeds)
  const deed = fc.tuple(
    fc.oneof(
      { weight: 3, arbitrary: fc.constant('step') },
      { weight: 2, arbitrary: fc.constantFrom('convert', 'repeat', 'addField') },
      { weight: 4, arbitrary: fc.constantFrom(...names) },
    ),
    fc.array(fc.nat(9), { minLength: 2, maxLength: 2 }),
  )

  test('[FIELD-330] is rebuilt while anything happens to it, and holds what it would hold otherwise', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 10, maxLength: 30 }), async (script) => {
        const table = await wornTable()
        for (const [name, numbers] of script) {
          await deeds[name]?.(table, numbers).catch((error: unknown) => {
            const isOfCaller = error instanceof Object && 'code' in error
            if (ofBackground.has(name) || !isOfCaller) throw error
            expect(['validation_error', 'conflict', 'not_found']).toContain(error.code)
          })
        }
        await stepsUntilOver(table)
        await stepUnseen(table)
        expect((await physicalOf(table)).rebuiltName).toBeNull()
        const [recordId] = await world.add(table, { Name: 'last' })
        expect(await world.recordOf(table, recordId)).toMatchObject({ Name: 'last' })
        await hash()
        await world.clear()
      }),
      { numRuns: 15 },
    )
  })

  describe('and that is copied', () => {
    test('[FIELD-331] has none of the columns any more that were empty, and may wear out again', async () => {
      if (!(await isCopied())) return
      const table = await wornTable()
      const { columns } = await physicalOf(table)
      await stepsUntilOver(table)
      expect(await physicalOf(table)).toEqual({
        ...{ columns: columns - emptyColumns, rebuiltName: null },
      })
      expect(await stepUnseen(table)).toBe('over')
      await wearOut(table)
      await stepsUntilOver(table)
      expect((await physicalOf(table)).columns).toBe(columns - emptyColumns)
      const twice = world.add(table, { Code: 'code 1' })
      await expect(twice).rejects.toMatchObject({ code: 'validation_error' })
    })

    test('[FIELD-332] is copied a few records at a time, in between which others write', async () => {
      if (!(await isCopied())) return
      const table = await wornTable(10)
      await stepUnseen(table)
      let steps = 0
      for (; !(await find(table))?.isReady; steps++) {
        await world.change(table, table.recordIds[steps], { Count: 100 + steps })
        await stepUnseen(table)
      }
      expect(steps).toBeGreaterThan(3)
      // Much that was changed before the last step puts that off.
      for (const id of table.recordIds) await world.change(table, id, { Name: 'changed' })
      expect(await stepUnseen(table)).toBe('later')
      expect(await find(table)).toMatchObject({ isReady: false, isExchanged: false })
      await stepsUntil(table, 'isExchanged')
      await world.change(table, table.recordIds[0], { Name: 'after' })
      await stepsUntilOver(table)
      const cells = await world.cellsOf(table, 'Name')
      expect(cells).toEqual(['after', ...table.recordIds.slice(1).map(() => 'changed')])
    })

    test('[FIELD-334] is copied beside calls that change records through links, computed values and fields', async () => {
      if (!(await isCopied())) return
      const table = await wornTable(12)
      const other = await world.makeNames('Others', 'a', 'b', 'c', 'd')
      const { id: linkFieldId } = await world.addField(other, {
        ...{ type: 'link', name: 'Worn' },
        options: { relationship: 'manyMany', foreignTableId: table.id },
      })
      const { id: lookupFieldId } = await world.fieldOf(table, 'Count')
      await world.addField(other, {
        ...{ type: 'number', name: 'Counts', isLookup: true },
        lookupOptions: { foreignTableId: table.id, linkFieldId, lookupFieldId },
      })
      let isOver = false
      let calls = 0
      const tried = async (call: () => Promise<unknown>) => {
        await call().catch((error: { code?: string }) => {
          expect(['validation_error', 'conflict', 'not_found', 'service_busy']).toContain(
            error.code,
          )
        })
        calls++
      }
      const whileCopied = async (call: (round: number) => Promise<unknown>) => {
        for (let round = 0; !isOver; round++) await tried(() => call(round))
      }
      const linked = (round: number) =>
        [0, 1, 2].map((n) => ({ id: table.recordIds[(round + 5 * n) % 12] ?? '' }))
      const others = [
        whileCopied((round) => world.change(table, table.recordIds[round % 12], { Count: round })),
        whileCopied((round) =>
          world.change(other, other.recordIds[round % 4], { Worn: linked(round) }),
        ),
        whileCopied((round) =>
          world.change(other, other.recordIds[round % 4], { Name: `${round}` }),
        ),
        whileCopied(async () => {
          const [id] = await world.add(table, { Name: 'passing' })
          await world.remove(table, id)
        }),
        whileCopied(async (round) => {
          if (round % 8 === 0) await deeds.addField?.(table, [round])
          else if (round % 8 === 4) await deeds.removeField?.(table, [])
          else await world.api.records.listRecords({ tableId: table.id })
        }),
      ]
      const relaxed = { ...lowered, recordsCopiedAgain: 100 }
      const copying = async () => {
        for (const until = Date.now() + patienceMs; Date.now() < until; ) {
          const left = await withLimits(relaxed, () =>
            world.engine.store.write((tx) => rebuildTable.run(contextOf(table, tx) as never)),
          )
          if (left === 'over') return
        }
        throw new Error('the table is rebuilt in the end')
      }
      await copying().finally(() => {
        isOver = true
      })
      await Promise.all(others)
      expect(calls).toBeGreaterThan(10)
      await world.finishJobs()
      await hash()
      expect((await physicalOf(table)).rebuiltName).toBeNull()
      const counts = new Map(
        await Promise.all(
          table.recordIds.map(async (id) => [id, (await world.recordOf(table, id)).Count] as const),
        ),
      )
      for (const id of other.recordIds) {
        const { Worn: links, Counts } = await world.recordOf(other, id)
        const ids = ((links ?? []) as { id: string }[]).map((link) => link.id)
        expect(Counts ?? []).toEqual(ids.map((one) => counts.get(one)))
      }
    })

    test.each([{ unique: true }, { notNull: true }])(
      '[STORE-500] refuses what it refused where a field that is %j is converted meanwhile',
      async (rule) => {
        if (!(await isCopied())) return
        const rows = Array.from({ length: 8 }, (_, n) => ({ Name: `${n}`, Rank: `${n}` }))
        const table = await wornTable(rows, [{ type: 'singleLineText', name: 'Rank', ...rule }])
        await stepsUntil(table, 'isReady')
        await world.convert(table, 'Rank', { type: 'number', ...rule })
        await world.finishJobs()
        await stepsUntilOver(table)
        expect((await physicalOf(table)).rebuiltName).toBeNull()
        const refused = world.add(table, { Rank: rule.unique ? 3 : null })
        await expect(refused).rejects.toMatchObject({ code: 'validation_error' })
        const [recordId] = await world.add(table, { Rank: 99 })
        expect(await world.recordOf(table, recordId)).toMatchObject({ Rank: 99 })
        const twice = world.engine.store.write(async (tx) => {
          const [found] = await tx.tables.findAll([table.id], 'share')
          const schema = found && (await tx.fields.schemaOf(found))
          const column = schema?.fields.find(({ field }) => field.name === 'Rank')?.column
          if (!schema || !column) throw new Error('the field is there')
          const values = [rule.unique ? 99 : null]
          await tx.recordWriter.setCells(schema, [column], [{ autoNumber: 1, values }])
        })
        await expect(twice).rejects.toThrow(rule.unique ? 'unique' : 'required')
        await hash()
      },
    )

    test('[FIELD-400] keeps no room for the copy where that fails again and again', async () => {
      if (!(await isCopied())) return
      const table = await wornTable()
      const before = [await physicalOf(table), await hash()]
      await stepUnseen(table)
      await stepUnseen(table)
      expect(await step(table, 2)).toBe('more')
      expect(await find(table)).toMatchObject({ isReady: false, copied: expect.any(Number) })
      expect(await step(table, 3)).toBe('over')
      expect(await find(table)).toBeUndefined()
      expect([await physicalOf(table), await hash()]).toEqual(before)
      await stepsUntil(table, 'isReady')
      expect(await step(table, 3)).toBe('more')
      await stepsUntilOver(table)
      expect(await hash()).toBe(before[1])
    })

    test('[STORE-502] is gone through once more where many records were changed, or purged, meanwhile', async () => {
      if (!(await isCopied())) return
      // The background looks for worn tables by now, so it doesn't take up this one in the next ten minutes.
      world.clock.advance(findWornTables.periodMs)
      await world.finishJobs()
      const table = await wornTable(60)
      const inSlices = { ...lowered, ...recordsPerSlice(20) }
      let steps = 0
      const stepsUntilReady = async () => {
        for (steps = 0; !(await find(table))?.isReady && steps < 100; steps++) {
          await withLimits(inSlices, () =>
            world.engine.store.write((tx) => rebuildTable.run(contextOf(table, tx) as never)),
          )
        }
        return steps
      }
      await stepsUntilReady()
      for (const id of table.recordIds) await world.change(table, id, { Name: 'changed' })
      await withLimits(inSlices, () => step(table))
      expect(await stepsUntilReady()).toBeLessThan(10)
      const [first, ...others] = table.recordIds
      await world.api.records.deleteRecords({ tableId: table.id, recordIds: others })
      await deeds.purge?.(table, [])
      await world.finishJobs()
      await withLimits(inSlices, () => step(table))
      expect(await stepsUntilReady()).toBeLessThan(10)
      await stepsUntilOver(table)
      expect(await recordIdsOf(table)).toEqual([first])
      expect(await world.cellsOf(table, 'Name')).toEqual(['changed'])
    })

    test('[STORE-501] is copied in the end where many records exchange their unique values', async () => {
      if (!(await isCopied())) return
      const table = await wornTable(12)
      await stepsUntil(table, 'isReady')
      const codes = await world.cellsOf(table, 'Code')
      const [all, half] = [table.recordIds, 6]
      for (const id of all) await world.change(table, id, { Code: null })
      for (const [n, id] of all.entries()) {
        await world.change(table, id, { Code: codes[(n + half) % all.length] })
      }
      await stepsUntilOver(table)
      const exchanged = [...codes.slice(half), ...codes.slice(0, half)]
      expect(await world.cellsOf(table, 'Code')).toEqual(exchanged)
    })

    test.each([true, false])(
      '[STORE-503] is left alone by who had waited for it until another one had it exchanged, ready: %s',
      async (isReady) => {
        if (!(await isCopied())) return
        const table = await wornTable()
        await stepsUntil(table, 'isExchanged')
        await world.change(table, table.recordIds[0], { Name: 'after' })
        const before = await physicalOf(table)
        const late = await withLimits(lowered, () =>
          world.engine.store.write((tx) => {
            const { find } = tx.tableRebuilds
            let asked = 0
            // As it was before the table was waited for.
            const waiting = { tableId: table.id, copied: 0, isReady, isExchanged: false }
            Object.assign(tx.tableRebuilds, {
              find: (id: string) => (asked++ === 0 ? waiting : find.call(tx.tableRebuilds, id)),
            })
            return rebuildTable.run(contextOf(table, tx) as never)
          }),
        )
        expect(late).toBe('more')
        expect(await physicalOf(table)).toEqual(before)
        expect((await world.recordOf(table, table.recordIds[0])).Name).toBe('after')
        await stepsUntilOver(table)
        expect((await world.recordOf(table, table.recordIds[0])).Name).toBe('after')
        await hash()
      },
    )

    test.each(['isReady', 'isExchanged'] as const)(
      '[FIELD-333] is left with nothing of the copy where it is purged, restored, duplicated once it %s',
      async (isThere) => {
        if (!(await isCopied())) return
        const { baseId, api } = world
        const table = await wornTable()
        await stepsUntil(table, isThere)
        const copied = await api.tables.duplicateTable({
          ...{ baseId, tableId: table.id, name: 'Copy', includeRecords: true },
        })
        const copy = { ...table, id: copied.id }
        expect(await world.cellsOf(copy, 'Name')).toEqual(await world.cellsOf(table, 'Name'))
        await api.tables.deleteTable({ baseId, tableId: table.id })
        const left = isThere === 'isReady' ? ['over'] : ['later', 'over']
        expect(left).toContain(await stepUnseen(table))
        const { trashItems } = await api.trash.listTrashItems({
          ...{ resourceId: baseId, resourceType: 'base' },
        })
        await api.trash.restoreTrash({ trashId: trashItems[0]?.id ?? '' })
        await stepsUntilOver(table)
        expect(await world.cellsOf(table, 'Name')).toEqual(await world.cellsOf(copy, 'Name'))
        const again = await wornTable()
        await stepsUntil(again, isThere)
        await api.tables.deleteTablePermanently({ baseId, tableId: again.id })
        await world.finishJobs()
        expect(await find(again)).toBeUndefined()
        expect(await step(again)).toBe('over')
      },
    )
  })
})
