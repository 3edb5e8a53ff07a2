import { type Issue, invalidAt } from '../../../errors.ts'
import { FormulaError, formulaRefused } from '../../../formulas/formula-error.ts'
import { DerivationRefusal, type FieldSources } from '../../computed/derivation.ts'
import { derive } from '../../derivation/derive.ts'
import type { Field } from '../../field.ts'
import { referencesOf, typeOf } from '../../field-values.ts'
import type { Misfit } from '../../misfit.ts'
import type { DefinitionPath } from '../definition/build-fields.ts'
import { fieldSources } from './field-sources.ts'

/** The table that new fields go into. */
interface NewFieldsPlace {
  readonly baseId: string
  /** The fields that the table has already. */
  readonly existing: readonly Field[]
  readonly foreign: FieldSources['foreign']
  readonly pathOf: DefinitionPath
  /** The field that is to become another one, or that is copied: what it says of itself already may stay. */
  readonly stored?: Field
}

/**
 * Computes what new fields are from the fields that they read, each after those it reads. Formulas may
 * name fields by id or by name. Throws validation_error for one that can't be computed, or that would
 * follow from itself.
 */
export async function deriveNewFields(
  fields: readonly Field[],
  { baseId, existing, foreign, pathOf, stored }: NewFieldsPlace,
): Promise<readonly Field[]> {
  const named = withFieldIds(fields, existing, pathOf)
  const known = new Map(existing.map((field) => [field.id, field]))
  const open = new Map(named.map((field, index) => [field.id, { field, index }]))
  while (open.size > 0) {
    const next = [...open.values()].find(({ field }) =>
      referencesOf(field).every((id) => !open.has(id)),
    )
    if (!next) throw circular(open, pathOf)
    const path = (...members: Issue['path']) => pathOf(next.index, ...members)
    const derived = await derive(next.field, fieldSources(known, baseId, foreign))
    if (derived instanceof DerivationRefusal) {
      throw inSentTerms(derived, next.field, fields[next.index]).toError(path)
    }
    const { misfit, ...members } = derived
    if (misfit && !isStored(misfit, next.field, stored)) {
      const { among = 'options', option, path: inner = [], message } = misfit
      throw invalidAt(path(among, option, ...inner), message)
    }
    if (next.field.isLookup && members.type !== next.field.type) {
      const message = `must be "${members.type}", the type of the field that is looked up`
      throw invalidAt(path('type'), message)
    }
    known.set(next.field.id, { ...next.field, ...members })
    open.delete(next.field.id)
  }
  return named.map(({ id }) => known.get(id) as Field)
}

/** Whether what doesn't fit is stored so already, and may stay. */
function isStored({ mayStay = false, option }: Misfit, said: Field, stored?: Field): boolean {
  if (!mayStay || !stored) return false
  const [a, b] = [said, stored].map(({ options }) => (options as Record<string, unknown>)[option])
  return JSON.stringify(a) === JSON.stringify(b)
}

/** The refusal with the place in the formula as it was sent. */
function inSentTerms(
  refusal: DerivationRefusal,
  stored: Field,
  sent: Field | undefined,
): DerivationRefusal {
  const { formulaError, path } = refusal
  const { placeInSent } = typeOf(stored)
  if (!formulaError || !placeInSent || !sent) return refusal
  const { reason, position } = formulaError
  const place = placeInSent(stored.options, position, sent.options)
  return new DerivationRefusal(path, new FormulaError(reason, place))
}

/** Formulas with ids in the place of names; an id is preferred to a name that reads like it. */
function withFieldIds(
  fields: readonly Field[],
  existing: readonly Field[],
  pathOf: DefinitionPath,
): readonly Field[] {
  const all = [...existing, ...fields]
  const ids = new Set(all.map(({ id }) => id))
  const idByName = new Map(all.map(({ id, name }) => [name, id]))
  const idOf = (name: string) => (ids.has(name) ? name : idByName.get(name))
  return fields.map((field, index) => {
    const options = field.isLookup
      ? undefined
      : () => typeOf(field).withFieldIds?.(field.options, idOf)
    try {
      return { ...field, options: options?.() ?? field.options }
    } catch (error) {
      if (!(error instanceof FormulaError)) throw error
      throw formulaRefused(error, pathOf(index, 'options', 'expression'))
    }
  })
}

/** What to say of fields that wait for one another. */
function circular(
  open: ReadonlyMap<string, { readonly field: Field; readonly index: number }>,
  pathOf: DefinitionPath,
): Error {
  const [first] = open.values()
  const trail: Field[] = []
  for (let next = first?.field; next && !trail.includes(next); ) {
    trail.push(next)
    const id = referencesOf(next).find((one) => open.has(one))
    next = open.get(id ?? '')?.field
    if (next && trail.includes(next)) trail.splice(0, trail.indexOf(next))
  }
  const names = [...trail, ...trail.slice(0, 1)].map(({ name }) => `"${name}"`)
  const message = `the field would depend on itself: ${names.join(' → ')}`
  return invalidAt(pathOf(first?.index ?? 0, 'options'), message)
}
