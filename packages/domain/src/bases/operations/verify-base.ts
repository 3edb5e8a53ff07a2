import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { resourceTypes } from '../../tree/tree-node.ts'
import { defineRead } from '../../use-case.ts'
import { textUpTo } from '../../values/storable-text.ts'
import { onBase } from '../base-guard.ts'
import { hashBase } from '../canonical-form.ts'
import type { CanonicalRow, CanonicalStructure } from '../canonical-reader.ts'

const hashRule = 'must be a hash that this operation answered: 64 of the characters 0-9 and a-f'

/**
 * Recomputes the hash of a base from all that is stored of it, and checks that its tree and its resources
 * agree. Two copies of a base are equal exactly when their hashes are.
 */
export const verifyBase = defineRead({
  summary: 'Verify a base and compute its hash',
  input: z.object({
    baseId: idSchema,
    hash: textUpTo(limits.idLength, hashRule)
      .regex(/^[0-9a-f]{64}$/, hashRule)
      .optional()
      .describe('The hash that is expected, such as one of an earlier call'),
  }),
  output: z.object({
    hash: z.string(),
    records: z.number(),
    problems: z.array(z.string()),
    matches: z.boolean().optional(),
  }),
  access: onBase('base|read_all'),
  needs: ['secrets'],
  isLong: () => true,
  run: async ({ tx, base, secrets }, { hash: expected }) => {
    const structure = await tx.canonical.structure(base.id)
    const { hash, records } = await hashBase(tx, secrets, structure)
    const problems = findProblems(structure)
    const result = { hash, records, problems: problems.slice(0, limits.problemsNamed) }
    return expected === undefined ? result : { ...result, matches: expected === hash }
  },
})

/** What is wrong with the structure, in sentences; empty when nothing is. */
export function findProblems(structure: CanonicalStructure): string[] {
  return [
    ...findStrayNodes(structure),
    ...findLostNodes(structure),
    ...findStrayFields(structure),
    ...findStrayInstalls(structure),
  ]
}

function isLiving({ deletionId }: CanonicalRow): boolean {
  return deletionId === null || deletionId === undefined
}

function findStrayNodes(structure: CanonicalStructure): string[] {
  const resources = new Map(
    resourceTypes.flatMap((type) =>
      structure[`${type}s` as const].map((row) => [row.id, isLiving(row)] as const),
    ),
  )
  return structure.nodes.flatMap((node) => {
    const isResourceLiving = resources.get(node.resourceId)
    if (isResourceLiving === isLiving(node)) return []
    const state =
      isResourceLiving === undefined ? 'missing' : isResourceLiving ? 'living' : 'deleted'
    return [`The node ${node.id} stands for the ${state} ${node.resourceType} ${node.resourceId}`]
  })
}

function findLostNodes({ nodes }: CanonicalStructure): string[] {
  const living = new Map(nodes.filter(isLiving).map((node) => [node.id, node]))
  return [...living.values()].flatMap((node) => {
    const seen = new Set<unknown>()
    for (let at: CanonicalRow | undefined = node; at?.parentId; at = living.get(at.parentId)) {
      const parent = living.get(at.parentId)
      if (!parent) return [`The node ${node.id} lies in ${at.parentId}, which is not there`]
      if (parent.resourceType !== 'folder') return [`The node ${node.id} lies in no folder`]
      if (seen.has(parent.id)) return [`The node ${node.id} lies in itself`]
      seen.add(parent.id)
    }
    return []
  })
}

/** Installs whose place is gone: a dashboard, a panel, a view, or a table for the menu of its records. */
function findStrayInstalls(structure: CanonicalStructure): string[] {
  const { dashboards, pluginPanels, views, tables, pluginInstalls } = structure
  const known = new Set([dashboards, pluginPanels, views, tables].flat().map(({ id }) => id))
  return pluginInstalls
    .filter(({ positionId }) => !known.has(positionId))
    .map(({ id, positionId }) => `${id} is installed on ${positionId}, which is not there`)
}

function findStrayFields({ tables, fields, views, pluginPanels }: CanonicalStructure): string[] {
  const known = new Set(tables.map(({ id }) => id))
  const stray = [...fields, ...views, ...pluginPanels].filter(({ tableId }) => !known.has(tableId))
  const primaries = new Set(
    fields.filter((field) => isLiving(field) && field.isPrimary).map(({ tableId }) => tableId),
  )
  return [
    ...stray.map(({ id, tableId }) => `${id} belongs to the table ${tableId}, which is not there`),
    ...tables
      .filter(({ id }) => !primaries.has(id))
      .map(({ id }) => `The table ${id} has no primary field`),
  ]
}
