import type { Base } from '../../../bases/base.ts'
import { type Issue, invalid } from '../../../errors.ts'
import type { TableReadContext } from '../../../tables/table-context.ts'
import type { Field } from '../../field.ts'
import { rulesOf, trackedFieldIdsOf } from '../../field-values.ts'
import { linkCapabilityOf } from '../../link-of.ts'
import type { DefinitionPath } from '../definition/build-fields.ts'

/** What there is that fields may name. */
interface ReferencesKnown {
  /** The fields of the table. */
  readonly knownIds: Iterable<string>
  readonly pathOf: DefinitionPath
  /** The field as it was, where one is to change. */
  readonly stored?: Field
}

/**
 * Refuses new fields whose settings name what isn't there: a field to follow, or for a model to read, that
 * is no other one of the table's (`knownIds`, or another of the new ones), a default user who is no collaborator of the base, a view that
 * the linked table doesn't have. What a field that is to change (`stored`) names already is not asked for.
 */
export async function requireReferences(
  context: TableReadContext,
  base: Base,
  fields: readonly Field[],
  { knownIds, pathOf, stored }: ReferencesKnown,
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
    if (await namesUnknownView(context, field, stored)) {
      const path = pathOf(index, 'options', 'filterByViewId')
      issues.push({ path, message: 'must be the id of a view of the linked table' })
    }
    if (await namesStrangers(context, base, field, stored)) {
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
async function namesUnknownView(
  { tx }: TableReadContext,
  field: Field,
  stored: Field | undefined,
): Promise<boolean> {
  const capability = linkCapabilityOf(field)
  const viewId = viewIdOf(field)
  if (!capability || viewId === undefined) return false
  if (stored && viewIdOf(stored) === viewId) return false
  return !(await tx.views.find(capability.targetOf(field.options).foreignTableId, viewId))
}

function viewIdOf(field: Field): string | undefined {
  return linkCapabilityOf(field)?.filterViewId(field.options)
}

/** Whether the default of a field names somebody who has no role in the base. */
async function namesStrangers(
  context: TableReadContext,
  base: Base,
  field: Field,
  stored: Field | undefined,
): Promise<boolean> {
  const { tx, userId } = context
  const known = new Set([userId, ...(stored ? defaultUserIds(context, stored) : [])])
  const others = defaultUserIds(context, field).filter((id) => !known.has(id))
  if (others.length === 0) return false
  const users = await tx.users.listWithRoleIn(base.spaceId, base.id)
  const collaborators = new Set(users.map(({ id }) => id))
  return !others.every((id) => collaborators.has(id))
}

function defaultUserIds(
  { userId, now }: Pick<TableReadContext, 'userId' | 'now'>,
  field: Field,
): readonly string[] {
  const rules = rulesOf(field)
  const cell = rules.defaultCell?.({ userId, now }) ?? null
  return cell === null ? [] : (rules.userIds?.(cell) ?? [])
}
