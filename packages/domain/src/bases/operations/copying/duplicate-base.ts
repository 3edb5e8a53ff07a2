import { z } from 'zod'
import { type Guard, requireScope, requireUserId } from '../../../access/guard.ts'
import { DomainError } from '../../../errors.ts'
import { idSchema } from '../../../ids.ts'
import { notYet } from '../../../input/not-yet.ts'
import { limits } from '../../../limits.ts'
import { onSpace, type SpaceScope } from '../../../spaces/space-guard.ts'
import type { WriteTx } from '../../../store.ts'
import { defineWrite } from '../../../use-case.ts'
import { nameSchema } from '../../../values/names.ts'
import { type Base, newBaseOutput } from '../../base.ts'
import { onBase } from '../../base-guard.ts'
import { placeForBase } from '../../place-in-space.ts'
import { beginBase } from '../../unfinished-base.ts'
import { giveUpBase } from '../deletion/drop-unfinished-base.ts'
import { copyBase } from './copy-base.ts'

const input = z.object({
  fromBaseId: idSchema.describe('The base that is copied'),
  spaceId: idSchema.describe('The space that the copy goes into, last of its bases'),
  withRecords: z.boolean().default(false).describe('Whether the records come along'),
  name: nameSchema
    .optional()
    .describe('What the copy is called; as the original is where it is left out'),
  nodes: z
    .array(idSchema)
    .min(1)
    .max(limits.nodesPerBase)
    .optional()
    .describe(
      'The nodes that are copied, folders with all that is in them; all of them where it is left out',
    ),
  baseId: notYet('copying into a base that is there already'),
  shareId: notYet('copying a shared base'),
})

/** What the guard found: the space of the copy, and the base that is copied. */
export interface CopyScope extends SpaceScope {
  readonly from: Base
}

/** Lets those pass who may create bases in the space, and read all of the base that is copied. */
function onBoth(lock: 'none' | 'update'): Guard<z.output<typeof input>, CopyScope> {
  const actions = ['base|create', 'base|read_all', 'base|table_export'] as const
  return {
    requirement: { on: 'space', actions: [...actions], sessionOnly: false },
    enter: async (tx, actor, sent) => {
      const { scope } = await onSpace('base|create', lock).enter(tx, actor, sent)
      const original = { baseId: sent.fromBaseId }
      const { scope: read } = await onBase('base|read_all', lock).enter(tx, actor, original)
      requireScope(actor, 'base|table_export')
      return { scope: { ...scope, from: read.base } }
    },
  }
}

/** Copies a base with its tree, tables, fields and views, into the same space or another one. Its people stay behind. */
export const duplicateBase = defineWrite({
  summary: 'Duplicate a base',
  input,
  output: newBaseOutput,
  access: onBoth('update'),
  needs: ['secrets'],
  prepare: async ({ store, actor, ids, now }, sent) => {
    await store.read(async (tx) => {
      const { scope } = await onBoth('none').enter(tx, actor, sent)
      await placeForBase(tx, scope.space.id)
    })
    const createdBy = requireUserId(actor)
    const baseId = ids.next('base')
    const made = { id: baseId, name: '', createdBy, createdTime: now }
    await store.write((tx) => beginBase(tx, made))
    return { baseId }
  },
  abandon: ({ store, now }, { baseId }) =>
    store.write((tx: WriteTx) => giveUpBase({ tx, now }, baseId)),
  run: async (context, sent) => {
    const { tx, actor, space, from, userId, now, prepared } = context
    const { name, withRecords, nodes } = sent
    const order = await placeForBase(tx, space.id)
    const place = { id: prepared.baseId, spaceId: space.id, order }
    const settings = { name: name ?? from.name, icon: from.icon }
    if (!(await tx.bases.finish({ ...place, ...settings }))) {
      throw new DomainError('conflict', 'The copy took too long to be begun: try again')
    }
    const copy: Base = {
      ...place,
      ...settings,
      createdBy: userId,
      createdTime: now,
      lastModifiedTime: now,
      version: 1,
    }
    await copyBase(context, { from, copy }, { withRecords, nodes })
    // While tables of the original were waited for, the caller's role in the space of that may have gone.
    await onBoth('none').enter(tx, actor, sent)
    const payload = { spaceId: space.id, baseId: copy.id }
    tx.emit({ name: 'base.created', time: now, userId, payload })
    return { id: copy.id, name: copy.name, spaceId: space.id, version: copy.version }
  },
})
