import type { Api } from '@gateleg/domain/api'

type TrashList = Awaited<ReturnType<Api['trash']['listTrashItems']>>

/** An entry of a trash as people see it, and its id. */
interface SeenEntry {
  readonly id: string
  /** The place in the tree of the table in whose trash it lies; -1 for that of the base. */
  readonly place: number
  readonly seen: {
    readonly type: string
    readonly count: number
    readonly things: readonly object[]
    readonly deletedTime: string
    readonly deletedBy: string
  }
}

/** What lies in the trash of a base, then in those of its tables, in the order of the tree. */
export async function listTrashOf(
  api: Pick<Api, 'trash' | 'tree'>,
  baseId: string,
): Promise<readonly SeenEntry[]> {
  const found = await listEntries(api, { resourceType: 'base', resourceId: baseId }, -1)
  const nodes = await api.tree.listNodes({ baseId })
  const tables = nodes.filter(({ resourceType }) => resourceType === 'table')
  for (const [place, { resourceId }] of tables.entries()) {
    found.push(...(await listEntries(api, { resourceType: 'table', resourceId }, place)))
  }
  return found
}

async function listEntries(
  { trash }: Pick<Api, 'trash'>,
  where: Parameters<Api['trash']['listTrashItems']>[0],
  place: number,
): Promise<SeenEntry[]> {
  const found: SeenEntry[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: TrashList = await trash.listTrashItems({ ...where, ...(cursor && { cursor }) })
    for (const item of page.trashItems) {
      const { id, resourceType: type, resourceId, resourceIds, deletedTime, deletedBy } = item
      const ids = resourceIds ?? [resourceId ?? '']
      const things = ids.flatMap((one) => {
        const { id: _, ...thing } = page.resourceMap[one] ?? { id: '', name: '?' }
        return page.resourceMap[one] ? [thing] : []
      })
      const by = page.userMap[deletedBy]?.name ?? '?'
      found.push({
        id,
        place,
        seen: { type, count: ids.length, things, deletedTime, deletedBy: by },
      })
    }
    cursor = page.nextCursor
  }
  return found
}

/** How often all that is left is tried again: a thing may come back after another one alone. */
const roundsMax = 6

/**
 * Restores what can be restored of the trash of a base and its tables, the newest first, again and again until nothing more comes
 * back. Answers what became of each try.
 */
export async function restoreTrashOf(
  api: Pick<Api, 'trash' | 'tree'>,
  baseId: string,
): Promise<readonly string[]> {
  const log: string[] = []
  for (let round = 0; round < roundsMax; round++) {
    let restored = 0
    for (const { id, place, seen } of await listTrashOf(api, baseId)) {
      const outcome = await api.trash.restoreTrash({ trashId: id }).then(
        () => 'restored',
        ({ code, message }: { code: string; message: string }) => `${code}: ${message}`,
      )
      if (outcome === 'restored') restored++
      log.push(`${place} ${seen.type} ${JSON.stringify(seen.things)}: ${outcome}`)
    }
    if (restored === 0) break
  }
  return log
}
