import type { Base } from '../../bases/base.ts'
import { type Issue, invalid } from '../../errors.ts'
import type { TableReadContext } from '../../tables/table-context.ts'
import type { Field } from '../field.ts'
import { rulesOf, trackedFieldIdsOf } from '../field-values.ts'
import { linkCapabilityOf } from '../link-of.ts'
import type { DefinitionPath } from './build-fields.ts'

/**
 * Refuses new fields whose settings name what isn't there: a field to follow, or for a model to read, that
 * is no other one of the table's (`knownIds`, or another of the new ones), a default user who is no collaborator of the base, a view that
 * the linked table doesn't have.
 */
export async function requireReferences(
  context: TableReadContext,
  base: Base,
  fields: readonly Field[],
  knownIds: Iterable<string>,
  pathOf: DefinitionPath,
): Promise<void> {
  const known = new Set(knownIds)
  const made = new Set(fields.map(({ id }) => id))
  const issues: Issue[] = []
  for (const [index, field] of fields.entries()) {
    const isUnknown = (id: string) => !known.has(id) && (id === field.id || !made.has(id))
    const refuse = (id: string, ...members: readonly string[]) =>
      issues.push({
        path: pathOf(index, ...members),
        message: `"${id}" is not another field of this table`,
      })
    const unknown = trackedFieldIdsOf(field)?.find(isUnknown)
    if (unknown !== undefined) refuse(unknown, 'options', 'trackedFieldIds')
    const source = aiSourceIdOf(field)
    if (source !== undefined && isUnknown(source)) refuse(source, 'aiConfig', 'sourceFieldId')
    if (await namesUnknownView(context, field)) {
      const path = pathOf(index, 'options', 'filterByViewId')
      issues.push({ path, message: 'must be the id of a view of the linked table' })
    }
    if (await namesStrangers(context, base, field)) {
      const path = pathOf(index, 'options', 'defaultValue')
      issues.push({ path, message: 'must name collaborators of the base' })
    }
  }
  if (issues.length > 0) throw invalid(issues)
}

/**
 * The fields that a field names without reading their cells: those that it follows, and the one that a model
 * would read.
 */
export function namedFieldIds(field: Field): readonly string[] {
  const source = aiSourceIdOf(field)
  return [...(trackedFieldIdsOf(field) ?? []), ...(source === undefined ? [] : [source])]
}

function aiSourceIdOf({ aiConfig }: Field): string | undefined {
  return (aiConfig as { readonly sourceFieldId?: string } | null)?.sourceFieldId
}

/** Whether a link is limited to a view that the linked table doesn't have. */
async function namesUnknownView({ tx }: TableReadContext, field: Field): Promise<boolean> {
  const capability = linkCapabilityOf(field)
  const viewId = capability?.filterViewId(field.options)
  if (!capability || viewId === undefined) return false
  return !(await tx.views.find(capability.targetOf(field.options).foreignTableId, viewId))
}

/** Whether the default of a field names somebody who has no role in the base. */
async function namesStrangers(
  { tx, userId, now }: TableReadContext,
  base: Base,
  field: Field,
): Promise<boolean> {
  const rules = rulesOf(field)
  const cell = rules.defaultCell?.({ userId, now }) ?? null
  const named = cell === null ? [] : (rules.userIds?.(cell) ?? [])
  const others = named.filter((id) => id !== userId)
  if (others.length === 0) return false
  const users = await tx.users.listWithRoleIn(base.spaceId, base.id)
  const collaborators = new Set(users.map(({ id }) => id))
  return !others.every((id) => collaborators.has(id))
}
