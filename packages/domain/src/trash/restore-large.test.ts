import { SeededRandom } from '@gateleg/testing/doubles/seeded-random'
import { differencesOf, storedState } from '@gateleg/testing/observations/stored-state'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import fc from 'fast-check'
import { expect, test } from 'vitest'

/** Records of the table that is deleted; each is linked to two of another one, which has a tenth as many. */
const records = Number(process.env.RESTORED_RECORDS ?? 1_000)
const otherRecords = Math.max(2, Math.ceil(records / 10))

/** Records that one call makes. */
const recordsPerCall = 1_000

const timeoutMs = 1_200_000

describeOnEveryStorage('a deleted table of many linked records', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  const addAll = async (table: TestTable, rows: readonly object[]) => {
    const ids: string[] = []
    for (let done = 0; done < rows.length; done += recordsPerCall) {
      ids.push(...(await world.add(table, ...rows.slice(done, done + recordsPerCall))))
    }
    return ids
  }

  /** Two tables, the first of which is linked to the second at places that the function draws; each shows cells of the other. */
  async function makeTables(nextPlace: () => number): Promise<TestTable> {
    const table = await world.makeNames('Names')
    const other = await world.makeNames('Others')
    const link = await world.addField(table, {
      ...{ type: 'link', name: 'Link' },
      options: { relationship: 'manyMany', foreignTableId: other.id },
    })
    const { id: countId } = await world.fieldOf(other, 'Count')
    const read = { foreignTableId: other.id, linkFieldId: link.id, lookupFieldId: countId }
    await world.addField(table, {
      ...{ type: 'number', name: 'Counts', isLookup: true, lookupOptions: read },
    })
    const end = await world.fieldOf(other, 'Names')
    const { id: ownCountId } = await world.fieldOf(table, 'Count')
    await world.addField(other, {
      ...{ type: 'rollup', name: 'Sum', options: { expression: 'sum({values})' } },
      lookupOptions: {
        ...{ foreignTableId: table.id, linkFieldId: end.id, lookupFieldId: ownCountId },
      },
    })
    const others = Array.from({ length: otherRecords }, (_, Count) => ({
      Name: `o${Count}`,
      Count,
    }))
    const ids = await addAll(other, others)
    const rows = Array.from({ length: records }, (_, Count) => {
      const places = [...new Set([nextPlace(), nextPlace()])]
      return { Name: `n${Count}`, Count, Link: places.map((place) => ({ id: ids[place] })) }
    })
    await addAll(table, rows)
    await world.finishJobs()
    return table
  }

  test(
    '[TRASH-11] [TRASH-12] [TRASH-15] comes back with all that was in it and in what reads it',
    async () => {
      const { api, baseId, engine } = world
      const stateNow = () => storedState(engine.store, [baseId])
      const check = async (seed: number) => {
        await world.clear()
        const random = new SeededRandom()
        random.restart(seed)
        const nextPlace = () => Number(random.digits(9)) % otherRecords
        const { id: tableId } = await makeTables(nextPlace)
        const before = await stateNow()
        expect(Object.keys(before.living)).toHaveLength(records + otherRecords)
        await api.tables.deleteTable({ baseId, tableId })
        await world.finishJobs()
        expect(Object.keys((await stateNow()).living)).toHaveLength(otherRecords)
        const [entry] = (
          await api.trash.listTrashItems({ resourceType: 'base', resourceId: baseId })
        ).trashItems
        await api.trash.restoreTrash({ trashId: entry?.id ?? '' })
        await world.finishJobs()
        expect(differencesOf(await stateNow(), before).slice(0, 20)).toEqual([])
      }
      await fc.assert(fc.asyncProperty(fc.nat(), check), { numRuns: 1, endOnFailure: true })
    },
    timeoutMs,
  )
})
