import { z } from 'zod'
import { requireAdministrator, requireUserId, showing } from '../../access/guard.ts'
import { fileContent } from '../../attachments/files/file-content.ts'
import { newBaseOutput } from '../../bases/base.ts'
import { giveUpBase } from '../../bases/operations/deletion/drop-unfinished-base.ts'
import { placeForBase } from '../../bases/place-in-space.ts'
import { beginBase, holdingBase } from '../../bases/unfinished-base.ts'
import { requireRoomForReturn } from '../../billing/require-room.ts'
import { calculateFields } from '../../calculations/calculate-fields.ts'
import { DomainError } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { wantIndex } from '../../indexes/want-index.ts'
import { limits } from '../../limits.ts'
import { SchemaGraph } from '../../schemas/schema-graph.ts'
import { searchKey } from '../../schemas/search-key.ts'
import { onSpace } from '../../spaces/space-guard.ts'
import type { WriteTx } from '../../store.ts'
import { defineWrite } from '../../use-case.ts'
import { nameSchema } from '../../values/names.ts'
import { ArchiveReader } from '../format/archive-reader.ts'
import { keptIds, ownIds } from '../planning/ids-here.ts'
import { requireFreeIds } from '../receiving/free-ids.ts'
import { receiveArchive } from '../receiving/receive-archive.ts'
import { tookTooLong } from '../receiving/receiving.ts'

const input = z.object({
  spaceId: idSchema.describe('The space that the base goes into, last of its bases'),
  name: nameSchema
    .optional()
    .describe('What the base is called; as the archive says where it is left out'),
  sameIds: z
    .boolean()
    .default(false)
    .describe(
      'Whether all keeps the ids that it has in the archive: for the administrator of the instance, and where nothing has these ids',
    ),
  content: fileContent,
})

const onTarget = (lock: 'none' | 'update') =>
  showing(onSpace('base|create', lock), 'base|table_import')

/**
 * Makes a base of an archive that `exportBase` wrote, here or elsewhere. It is there when all of it has come and is right;
 * before that nobody sees any of it.
 */
export const importBase = defineWrite({
  summary: 'Import a base from an archive',
  input,
  output: newBaseOutput,
  access: onTarget('update'),
  needs: ['blobs', 'clock', 'secrets', 'settings'],
  prepare: async (context, sent) => {
    const { store, actor, ids, now, secrets } = context
    const { spaceId, sameIds, content } = sent
    const userId = requireUserId(actor)
    await store.read(async (tx) => {
      await onTarget('none').enter(tx, actor, sent)
      if (sameIds) await requireAdministrator(tx, userId)
      await placeForBase(tx, spaceId)
    })
    const hold = (bytes: number) => content.hold?.(bytes)
    hold(limits.archiveBytesHeld)
    const giveWay = () => store.giveWay()
    const reader = new ArchiveReader(content, { digester: secrets.digester(), hold, giveWay })
    const idHere = sameIds ? keptIds : ownIds(ids)
    const baseId = idHere('base', sameIds ? (await reader.header()).id : undefined)
    const made = { id: baseId, name: '', createdBy: userId, createdTime: now }
    await store.write(async (tx) => {
      if ((await tx.bases.countUnfinishedHeld(userId)) >= limits.archivesPerUser) throw tooMany()
      if (sameIds) await requireFreeIds(tx, [baseId])
      await beginBase(tx, made)
    })
    try {
      const place = { userId, baseId, spaceId, idHere, keepsIds: sameIds }
      const receive = () => receiveArchive({ ...context, ...place }, reader, hold)
      return { baseId, received: await holdingBase(context, baseId, receive) }
    } catch (error) {
      // Where the storage is out of reach as well, the base goes when nobody has held it for long.
      await store.write((tx: WriteTx) => giveUpBase({ tx, now }, baseId)).catch(() => undefined)
      throw error
    }
  },
  abandon: ({ store, now }, { baseId }) =>
    store.write((tx: WriteTx) => giveUpBase({ tx, now }, baseId)),
  run: async (context, { name }) => {
    const { tx, space, userId, now, prepared } = context
    const { header, made, records } = prepared.received
    if (records > limits.recordsWrittenAtOnce) tx.becomeLong()
    const order = await placeForBase(tx, space.id)
    await requireRoomForReturn(context, space.id, { type: 'base', id: prepared.baseId })
    const settings = { name: name ?? header.name, icon: header.icon }
    const base = { id: prepared.baseId, spaceId: space.id, order, ...settings }
    if (!(await tx.bases.finish(base))) throw tookTooLong()
    const graph = new SchemaGraph(tx, 'update')
    const dirty = new Map<string, string[]>()
    for (const { table, schema } of await graph.load(
      [...made.tables.values()].map(({ id }) => id),
    )) {
      const computed = schema.fields.filter(({ computation }) => computation)
      dirty.set(
        table.id,
        computed.map(({ field }) => field.id),
      )
    }
    await calculateFields(context, graph, dirty)
    for (const table of made.tables.values()) {
      const isOn = table.searchIndex === 'on' && !made.deletions.has(table.id)
      if (isOn) await wantIndex(context, table, searchKey)
    }
    const payload = { spaceId: space.id, baseId: base.id }
    tx.emit({ name: 'base.created', time: now, userId, payload })
    return { id: base.id, name: base.name, spaceId: space.id, version: 1 }
  },
})

function tooMany(): DomainError {
  return new DomainError(
    'too_many_requests',
    `${limits.archivesPerUser} bases of yours are being made already: wait until one is there`,
    { retryAfterSeconds: 30 },
  )
}
