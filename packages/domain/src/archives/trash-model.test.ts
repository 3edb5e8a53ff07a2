import { workspaceScript } from '@gateleg/testing/arbitraries/workspace-step'
import { IdsOfOneWorld } from '@gateleg/testing/doubles/ids-of-one-world'
import {
  runTrashAction,
  type TrashAction,
  trashActions,
} from '@gateleg/testing/models/trash/trash-actions'
import { runWorkspaceScript } from '@gateleg/testing/models/workspace/run-workspace-script'
import type { WorkspaceStep } from '@gateleg/testing/models/workspace/workspace-step'
import { toLeveledArchive } from '@gateleg/testing/observations/leveled-archive'
import { listAllRecords } from '@gateleg/testing/observations/list-all-records'
import { listTrashOf, restoreTrashOf } from '@gateleg/testing/observations/trash-of-base'
import { suiteStorages } from '@gateleg/testing/test-engine'
import { openTableWorld, type TableWorld } from '@gateleg/testing/worlds/table-world'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, test } from 'vitest'

const numRuns = Number(process.env.ARCHIVE_SCRIPTS ?? 2)
const timeoutMs = 1_200_000

const directions = suiteStorages().flatMap((from) => suiteStorages().map((to) => ({ from, to })))

/** Links to tables that are gone for good become texts in an archive: nothing that is restored makes them the same. */
function withoutPurge(step: WorkspaceStep): WorkspaceStep {
  if (step.kind === 'delete table') return { ...step, isPermanent: false }
  return step.kind === 'purge trash' ? { ...step, isOfBase: false } : step
}

describe.each(directions)('trash of bases from $from.name to $to.name', ({ from, to }) => {
  let here: TableWorld
  let there: TableWorld
  let otherId: string

  beforeAll(async () => {
    here = await openTableWorld(from, { ids: new IdsOfOneWorld('trash of archives') })
    there = await openTableWorld(to, { ids: new IdsOfOneWorld('trash of archives') })
    otherId = (await here.api.bases.createBase({ spaceId: here.ada.spaceId })).id
  })
  afterAll(async () => {
    await here.close()
    await there.close()
  })

  const exported = async ({ api }: TableWorld, baseId: string) => {
    let text = ''
    const parts = await api.archives.exportBase({ baseId, includeTrash: true })
    for await (const part of parts) text += part
    return text
  }

  /** The archive without ids, and without the times at which tables changed last: restoring is a change. */
  const leveled = async (world: TableWorld, baseId: string) =>
    toLeveledArchive(
      (await exported(world, baseId)).replace(
        /"lastModifiedTime":"[^"]*"/g,
        '"lastModifiedTime":null',
      ),
    )

  /** What the tables of a base show, cells that follow from others included. */
  const shownIn = async ({ api }: TableWorld, baseId: string) => {
    const nodes = await api.tree.listNodes({ baseId })
    const tables = nodes.filter(({ resourceType }) => resourceType === 'table')
    const listed = tables.map(async ({ resourceId: tableId, resourceMeta: { name } }) => {
      const fields = await api.fields.listFields({ tableId })
      const records = await listAllRecords(api, { tableId, take: 100, cellFormat: 'text' })
      return [
        name,
        fields.map(({ name, type, hasError, isPending }) => ({ name, type, hasError, isPending })),
        records.map(({ id, autoNumber, fields }) => ({ id, autoNumber, fields })),
      ]
    })
    return Promise.all(listed)
  }

  const seen = async ({ api }: TableWorld, baseId: string) =>
    (await listTrashOf(api, baseId)).map(({ place, seen }) => ({ place, ...seen }))

  /** Told line by line: what differs is found there. */
  const expectSame = (what: string, found: unknown, expected: unknown) => {
    const linesOf = (value: unknown) =>
      (typeof value === 'string' ? value : JSON.stringify(value, null, 1)).split('\n')
    const [some, others] = [linesOf(found), linesOf(expected)]
    const at = others.findIndex((line, index) => line !== some[index])
    if (at === -1 && some.length === others.length) return
    const around = (lines: readonly string[]) => lines.slice(Math.max(0, at - 6), at + 3).join('\n')
    throw new Error(`${what} differs:\n${around(some)}\n--- expected\n${around(others)}`)
  }

  /**
   * Imports the archive of a base, compares what the two say, as far as `toCompared` leaves it, and does the work with what was
   * made; that is gone then.
   */
  const withTwin = async (
    baseId: string,
    sameIds: boolean,
    work: (madeId: string) => Promise<void>,
    toCompared: (archive: string) => string = (archive) => archive,
  ) => {
    // What was deleted in the future is taken for deleted now.
    there.clock.advance(Math.max(0, here.clock.now() - there.clock.now()))
    const content = await exported(here, baseId)
    const { name } = await here.api.bases.getBase({ baseId })
    const { spaceId } = there.ada
    const made = await there.api.archives.importBase({ spaceId, name, content, sameIds })
    try {
      const [again, before] = [toCompared(await exported(there, made.id)), toCompared(content)]
      expectSame('the archive', toLeveledArchive(again), toLeveledArchive(before))
      if (sameIds) expectSame('the archive with its ids', again, before)
      await work(made.id)
      const { problems } = await there.api.bases.verifyBase({ baseId: made.id })
      expectSame('what is wrong', problems, [])
    } finally {
      await there.api.bases.deleteBasePermanently({ baseId: made.id })
      await there.finishJobs()
    }
  }

  const compare = async (baseId: string, sameIds: boolean) => {
    await withTwin(baseId, sameIds, async (madeId) => {
      expectSame('the trash', await seen(there, madeId), await seen(here, baseId))
      expectSame('what is shown', await shownIn(there, madeId), await shownIn(here, baseId))
      const [outcomes, expected] = [
        await restoreTrashOf(there.api, madeId),
        await restoreTrashOf(here.api, baseId),
      ]
      const withoutIds = (log: readonly string[]) =>
        log.map((line) => line.replace(/(fld|tbl|viw)[0-9A-Za-z]{16}/g, '$1'))
      expectSame('what came back', withoutIds(outcomes), withoutIds(expected))
      await here.finishJobs()
      await there.finishJobs()
      expectSame(
        'what is shown afterwards',
        await shownIn(there, madeId),
        await shownIn(here, baseId),
      )
      expectSame(
        'the archive afterwards',
        await leveled(there, madeId),
        await leveled(here, baseId),
      )
    })
  }

  /** Formulas that read what is a text now show a text, and have no use for how they showed numbers. */
  const withoutFormats = (archive: string) =>
    archive.replace(/,?"(formatting|showAs)":\{[^}]*\}/g, '').replace(/"sha256":"\w+"\}\}$/m, '')

  /** What links to tables elsewhere, or to such as are gone for good, is a text: of that only the names are the same. */
  const compareWithTexts = async (baseId: string, sameIds: boolean) => {
    const namesOf = async (world: TableWorld, id: string) =>
      (await listTrashOf(world.api, id)).map(({ place, seen: { things, ...rest } }) => ({
        ...{ place, ...rest },
        names: things.map((thing) => (thing as { name: string }).name),
      }))
    await withTwin(
      baseId,
      sameIds,
      async (madeId) => {
        expectSame('the trash', await namesOf(there, madeId), await namesOf(here, baseId))
        // What is no refusal has no code.
        const failed = /: undefined:/
        const log = await restoreTrashOf(there.api, madeId)
        expectSame(
          'what failed',
          log.filter((line) => failed.test(line)),
          [],
        )
        await there.finishJobs()
      },
      withoutFormats,
    )
  }

  /** Makes a workspace, runs actions in it, and looks what its archive gives; leaves nothing behind. */
  const archive = async (
    baseIds: readonly string[],
    {
      steps,
      actions,
    }: { readonly steps: readonly WorkspaceStep[]; readonly actions: readonly TrashAction[] },
    compare: (baseId: string) => Promise<void>,
  ) => {
    const { api } = here
    const log: string[] = []
    const atEnd = async () => {
      for (const action of actions) log.push(await runTrashAction(api, baseIds[0] ?? '', action))
      for (const baseId of baseIds) await compare(baseId)
    }
    try {
      // Of fields with the same order those come first that were made first.
      const tick = () => here.clock.advance(1)
      await runWorkspaceScript({ api, baseIds, atEnd, tick }, steps)
    } catch (error) {
      throw new Error(`${(error as Error).message}\nafter ${JSON.stringify(log, null, 1)}`)
    } finally {
      for (const baseId of baseIds) {
        await here.clear(baseId)
        await api.trash.resetTrash({ resourceType: 'base', resourceId: baseId })
        for (const { id: nodeId } of (await api.tree.listNodes({ baseId })).toReversed()) {
          await api.tree.deleteNodePermanently({ baseId, nodeId }).catch(() => undefined)
        }
      }
      await here.finishJobs()
    }
  }

  // In one database of PostgreSQL no two worlds can have a base of one id.
  const maySameIds = from !== to || from.name === 'sqlite'
  const sameIds = maySameIds ? fc.boolean() : fc.constant(false)
  const drawn = fc.record({ steps: workspaceScript, actions: trashActions, sameIds })

  test(
    '[ARCHIVE-21] always comes back as it would where it was',
    async () => {
      const check = fc.asyncProperty(drawn, ({ steps, actions, sameIds }) =>
        archive([here.baseId], { steps: steps.map(withoutPurge), actions }, (baseId) =>
          compare(baseId, sameIds),
        ),
      )
      await fc.assert(check, { numRuns })
    },
    timeoutMs,
  )

  test(
    '[ARCHIVE-21] is listed the same, whatever it linked to',
    async () => {
      const check = fc.asyncProperty(drawn, ({ steps, actions, sameIds }) =>
        archive([here.baseId, otherId], { steps, actions }, (baseId) =>
          compareWithTexts(baseId, sameIds),
        ),
      )
      await fc.assert(check, { numRuns })
    },
    timeoutMs,
  )
})
