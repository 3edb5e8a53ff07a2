import { workspaceScript } from '@gateleg/testing/arbitraries/workspace-step'
import { IdsOfOneWorld } from '@gateleg/testing/doubles/ids-of-one-world'
import { runWorkspaceScript } from '@gateleg/testing/models/workspace/run-workspace-script'
import { toLeveledArchive } from '@gateleg/testing/observations/leveled-archive'
import { listAllRecords } from '@gateleg/testing/observations/list-all-records'
import { suiteStorages } from '@gateleg/testing/test-engine'
import { type BaseWorld, openBaseWorld } from '@gateleg/testing/worlds/base-world'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** Scripts from each storage to each: every one ends with an export and an import of two bases. */
const numRuns = Number(process.env.ARCHIVE_SCRIPTS ?? 2)
const timeoutMs = 1_200_000

const directions = suiteStorages().flatMap((from) => suiteStorages().map((to) => ({ from, to })))

describe.each(directions)('archives of bases from $from.name to $to.name', ({ from, to }) => {
  let here: BaseWorld
  let there: BaseWorld
  let baseIds: readonly string[]

  beforeAll(async () => {
    here = await openBaseWorld(from, { ids: new IdsOfOneWorld('archives') })
    there = await openBaseWorld(to, { ids: new IdsOfOneWorld('archives') })
    const other = await here.api.bases.createBase({ spaceId: here.ada.spaceId })
    baseIds = [here.baseId, other.id]
  })
  afterAll(async () => {
    await here.close()
    await there.close()
  })

  const exported = async ({ api }: BaseWorld, baseId: string) => {
    let text = ''
    for await (const part of await api.archives.exportBase({ baseId })) text += part
    return text
  }

  /** What the tables of a base show, cells that follow from others included. */
  const shownIn = async ({ api }: BaseWorld, baseId: string) => {
    const tables = await api.tables.listTables({ baseId })
    const listed = tables.map(async ({ id: tableId, name }) => {
      const records = await listAllRecords(api, { tableId, take: 100, cellFormat: 'text' })
      // A link to a record without a title shows nothing, and neither does the text that it becomes.
      const shown = (fields: object) => Object.entries(fields).filter(([, text]) => text !== '')
      return [name, records.map(({ id, autoNumber, fields }) => [id, autoNumber, shown(fields)])]
    })
    return Promise.all(listed)
  }

  const tick = () => here.clock.advance(1)
  const compare = async () => {
    const { spaceId } = there.ada
    for (const baseId of baseIds) {
      const archive = await exported(here, baseId)
      const { name } = await here.api.bases.getBase({ baseId })
      const made = await there.api.archives.importBase({ spaceId, name, content: archive })
      expect(toLeveledArchive(await exported(there, made.id))).toBe(toLeveledArchive(archive))
      expect(await shownIn(there, made.id)).toEqual(await shownIn(here, baseId))
      expect((await there.api.bases.verifyBase({ baseId: made.id })).problems).toEqual([])
      await there.api.bases.deleteBasePermanently({ baseId: made.id })
    }
  }

  test(
    '[ARCHIVE-1] [ARCHIVE-4] always make bases that say and show the same',
    async () => {
      const check = fc.asyncProperty(workspaceScript, (steps) =>
        runWorkspaceScript({ api: here.api, baseIds, tick, atEnd: compare }, steps),
      )
      await fc.assert(check, { numRuns })
    },
    timeoutMs,
  )
})
