import { z } from 'zod'
import { type Actor, isWithinReach } from '../../access/actor.ts'
import { showing } from '../../access/guard.ts'
import { canTake } from '../../access/roles.ts'
import { invalidAt } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import type { DiagramField } from '../../schemas/diagram-field.ts'
import type { ReadTx } from '../../store.ts'
import type { Table } from '../../tables/table.ts'
import { defineRead } from '../../use-case.ts'
import type { Base } from '../base.ts'
import { onBase } from '../base-guard.ts'
import {
  Diagram,
  type Elsewhere,
  edgeOutput,
  nodeOutput,
  type Relation,
  relationsOf,
} from './base-diagram.ts'

/** Answers the tables of a base, and how their fields lead to one another, as a diagram draws them. */
export const getBaseDiagram = defineRead({
  summary: 'Get the tables of a base and their relations',
  input: z.object({ baseId: idSchema }),
  output: z.object({
    baseId: z.string(),
    nodes: z
      .array(nodeOutput)
      .describe(
        'The tables of the base in the order of their nodes, then those of other bases that they lead to',
      ),
    edges: z.array(edgeOutput).describe('One for each link, lookup and rollup, by its field'),
  }),
  access: showing(onBase('table|read'), 'field|read'),
  run: async ({ tx, actor, userId, base }) => {
    const tables = await listTables(tx, base)
    const fields = await listFields(tx, base)
    const relations = relationsOf(fields)
    const known = new Set(fields.map(({ id }) => id))
    const outside = relations.filter(({ targetId }) => !known.has(targetId))
    const elsewhere = await findElsewhere({ tx, actor, userId, base }, outside)
    const diagram = new Diagram(tables, fields, elsewhere)
    return { baseId: base.id, nodes: diagram.nodes(), edges: diagram.edges(relations) }
  },
})

/** Those of the base in the order of their nodes. */
async function listTables(tx: ReadTx, { id }: Base): Promise<readonly Table[]> {
  const tables = new Map((await tx.tables.listOf(id)).map((table) => [table.id, table]))
  return (await tx.nodes.list(id)).flatMap(({ resourceId }) => tables.get(resourceId) ?? [])
}

async function listFields(tx: ReadTx, { id }: Base): Promise<readonly DiagramField[]> {
  const fields = await tx.diagramFields.listOfBase(id, limits.fieldsPerDiagram + 1)
  if (fields.length <= limits.fieldsPerDiagram) return fields
  throw invalidAt(
    ['baseId'],
    `has more than ${limits.fieldsPerDiagram} fields, which no diagram shows: list the fields of its tables one by one`,
  )
}

/** Finds what relations lead to outside of the base, as far as the caller may read it: links stay within one space. */
async function findElsewhere(
  {
    tx,
    actor,
    userId,
    base,
  }: { readonly tx: ReadTx; readonly actor: Actor; readonly userId: string; readonly base: Base },
  outside: readonly Relation[],
): Promise<Elsewhere> {
  const tableIds = [...new Set(outside.map(({ targetTableId }) => targetTableId))]
  if (tableIds.length === 0) return { bases: new Map(), tables: [], fields: [] }
  const readable = (await tx.bases.listOf(base.spaceId, userId)).filter(
    ({ base: { id, spaceId }, role }) =>
      isWithinReach(actor, spaceId, id) &&
      canTake(role, 'table|read') &&
      canTake(role, 'field|read'),
  )
  const bases = new Map(readable.map((one) => [one.base.id, one.base]))
  bases.delete(base.id)
  const tables = (await tx.tables.findAll(tableIds, 'none')).filter(({ baseId }) =>
    bases.has(baseId),
  )
  const shown = new Set(tables.map(({ id }) => id))
  const fieldIds = outside.flatMap(({ targetTableId, targetId }) =>
    shown.has(targetTableId) ? targetId : [],
  )
  const fields = await tx.diagramFields.findAll([...new Set(fieldIds)])
  return { bases, tables, fields: fields.filter(({ tableId }) => shown.has(tableId)) }
}
