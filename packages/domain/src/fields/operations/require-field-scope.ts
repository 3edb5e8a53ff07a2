import type { Actor } from '../../access/actor.ts'
import { requireScope } from '../../access/guard.ts'
import { FormulaError } from '../../formulas/formula-error.ts'
import type { CheckedDefinition } from './definition/field-definition.ts'

/**
 * Throws restricted_resource for an access token without the right to read fields where fields are made that read others: what is
 * answered of them, names, types and choices, comes from these.
 */
export function requireFieldScope(
  { actor }: { readonly actor: Actor },
  checked: readonly CheckedDefinition[],
): void {
  if (checked.some(readsOthers)) requireScope(actor, 'field|read')
}

function readsOthers({ type, options, definition: { lookupOptions } }: CheckedDefinition): boolean {
  if (lookupOptions || type.link) return true
  try {
    return (type.references?.(options) ?? []).length > 0
  } catch (error) {
    // What can't be read reads no field either: it is refused for itself, with what is wrong in it.
    if (error instanceof FormulaError) return false
    throw error
  }
}
