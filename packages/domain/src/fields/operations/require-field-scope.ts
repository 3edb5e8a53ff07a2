import type { Actor } from '../../access/actor.ts'
import { requireScope } from '../../access/guard.ts'
import type { CheckedDefinition } from './building/field-definition.ts'

/**
 * Throws restricted_resource for an access token without the right to read fields where fields are made that read others: what is
 * answered of them, names, types and choices, comes from these.
 */
export function requireFieldScope(
  { actor }: { readonly actor: Actor },
  checked: readonly CheckedDefinition[],
): void {
  const readsOthers = checked.some(
    ({ type, options, definition: { lookupOptions } }) =>
      lookupOptions || type.link || (type.references?.(options) ?? []).length > 0,
  )
  if (readsOthers) requireScope(actor, 'field|read')
}
