import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { describe, expect, test } from 'vitest'
import { limits } from '../../limits.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { StoredRecord } from '../stored/stored-record.ts'
import { type ColumnGroup, groupByColumns } from './group-by-columns.ts'

describeOnEveryStorage('changes of records in many sets of columns', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  /** Four fields, and a record for each set of them: its cells in that set change. */
  const makeSets = async () => {
    const letters = ['A', 'B', 'C', 'D']
    const setOf = (n: number) => letters.filter((_, bit) => (n >> bit) & 1)
    const cellsOf = (names: readonly string[], value: (name: string) => string) =>
      Object.fromEntries(names.map((name) => [name, value(name)]))
    const before = Array.from({ length: 16 }, (_, n) => cellsOf(letters, (name) => `${name}${n}`))
    const table = await world.makeTable(
      'Sets',
      letters.map((name) => ({ type: 'singleLineText', name })),
      before,
    )
    const changes = before.map((_, n) => cellsOf(setOf(n), (name) => `${name}${n} changed`))
    return { table, before, changes }
  }

  test('[RECORD-141] give each record its cells, and leave the others as they are', async () => {
    const { table, before, changes } = await makeSets()
    const records = changes.map((fields, n) => ({ id: table.recordIds[n] ?? '', fields }))
    await withLimits({ columnSetsPerWrite: 2 }, () =>
      world.api.records.updateRecords({ tableId: table.id, records }),
    )
    for (const [n, recordId] of table.recordIds.entries()) {
      expect(await world.recordOf(table, recordId)).toEqual({ ...before[n], ...changes[n] })
    }
    const { problems } = await world.api.bases.verifyBase({ baseId: world.baseId })
    expect(problems).toEqual([])
  })
})

describe('the statements of changes of records', () => {
  const tx = { giveWay: async () => undefined }
  const letters = ['A', 'B', 'C', 'D'] as const
  const record = (n: number, cells: readonly string[]) =>
    ({ id: `rec${n}`, autoNumber: n, cells }) as unknown as StoredRecord
  const before = Array.from({ length: 16 }, (_, n) => record(n, letters))
  /** A record for each set of the columns, in which its cells change. */
  const after = before.map(({ cells }, n) =>
    record(
      n,
      cells.map((cell, bit) => ((n >> bit) & 1 ? `new ${cell}` : `${cell}`)),
    ),
  )
  const group = (earlier = before, later = after, pending?: string) => {
    const columns = letters.map((name, index) => ({
      column: { name, index },
      field: { isPending: name === pending },
    })) as unknown as TableSchema['columns']
    return withLimits({ columnSetsPerWrite: 3 }, () =>
      groupByColumns(tx, { columns }, earlier, later),
    )
  }
  const namesOf = ({ columns }: ColumnGroup) => columns.map(({ name }) => name).join('')

  test('[RECORD-141] are so many', async () => {
    const groups = await group()
    expect(groups).toHaveLength(3)
    expect(namesOf(groups[2] as ColumnGroup)).toBe('ABCD')
    const changed = groups.flatMap(({ columns, changes }) =>
      changes.map(({ autoNumber, values }) => {
        const cells = [...letters] as string[]
        for (const [i, { index }] of columns.entries()) cells[index] = String(values[i])
        return [autoNumber, cells] as const
      }),
    )
    expect(new Map(changed)).toEqual(
      new Map(after.map(({ autoNumber, cells }) => [autoNumber, cells])),
    )
    expect(limits.columnSetsPerWrite).toBe(32)
  })

  test('[RECORD-141] are more where cells are about to be filled in the background', async () => {
    const groups = await group(before, after, 'D')
    const rest = groups.at(-1) as ColumnGroup
    expect(namesOf(rest)).toBe('ABC')
    expect(groups.map(namesOf).filter((names) => names.includes('D'))).toHaveLength(8)
  })

  test('[RECORD-141] write no long cell again that stays as it is', async () => {
    const long = 'x'.repeat(3_000)
    const withLong = (records: readonly StoredRecord[]) =>
      records.map((one) =>
        one.autoNumber === 8 ? record(8, [long, ...one.cells.slice(1)] as never) : one,
      )
    const groups = await group(withLong(before), withLong(after))
    const ofLong = groups.filter(({ changes }) =>
      changes.some(({ autoNumber }) => autoNumber === 8),
    )
    expect(ofLong.map(namesOf)).toEqual(['D'])
    expect(groups).toHaveLength(4)
  })

  test('[RECORD-141] are few where all have a long cell that some change', async () => {
    const long = 'x'.repeat(3_000)
    const longAt = (at: number, records: readonly StoredRecord[]) =>
      records.map(({ autoNumber, cells }) =>
        record(
          autoNumber,
          cells.map((cell, index) => (index === at ? `${cell}${long}` : `${cell}`)),
        ),
      )
    const groups = await group(longAt(0, before), longAt(0, after))
    expect(groups.map(namesOf).toSorted()).toHaveLength(4)
    const changed = new Map(
      groups.flatMap(({ columns, changes }) =>
        changes.map(({ autoNumber, values }) => {
          const cells = longAt(0, before)[autoNumber]?.cells.slice() ?? []
          for (const [i, { index }] of columns.entries()) cells[index] = values[i] ?? null
          return [autoNumber, cells] as const
        }),
      ),
    )
    const wanted = longAt(0, after).map(({ autoNumber, cells }) => [autoNumber, cells] as const)
    expect(changed).toEqual(new Map(wanted))
    const again = groups.flatMap(({ columns, changes }) =>
      changes.filter(
        ({ autoNumber }) => autoNumber % 2 === 0 && columns.some(({ name }) => name === 'A'),
      ),
    )
    expect(again).toEqual([])
  })
})
