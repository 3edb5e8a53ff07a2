import { limits } from '../../limits.ts'
import { FormulaError } from '../formula-error.ts'
import { quoteReference } from './escapes.ts'
import { tokenize } from './tokenizer.ts'

/** The ids of the fields that a formula names, each once, in the order of the text. */
export function referencedFieldIds(formula: string): readonly string[] {
  const ids = new Set<string>()
  for (const token of tokenizeBounded(formula)) if (token.kind === 'reference') ids.add(token.text)
  return [...ids]
}

/**
 * A formula as people write it, `{Unit price} * 2`, made one as it is stored, `{fld...} * 2`. Everything
 * but the references stays as it is. `idOf` answers the id for a field's name, and for an id itself.
 * Throws a FormulaError for a name that names no field.
 */
export function toFieldIds(formula: string, idOf: (name: string) => string | undefined): string {
  return replaceReferences(formula, (name, position) => {
    const id = idOf(name)
    if (id === undefined) {
      const trimmed = name.trim()
      const isBlankTooMuch = trimmed !== name && idOf(trimmed) !== undefined
      const hint = isBlankTooMuch ? `; did you mean ${quoteReference(trimmed)}?` : ''
      throw new FormulaError(`There is no field "${name.slice(0, 80)}" here${hint}`, position)
    }
    return id
  })
}

/**
 * Where a place of one formula is in another that differs from it by what its fields are called. Both can
 * be split into tokens.
 */
export function samePlace(formula: string, position: number, other: string): number {
  const index = tokenizeBounded(formula).findLastIndex((token) => token.position <= position)
  return tokenizeBounded(other)[index]?.position ?? other.length
}

function replaceReferences(
  formula: string,
  replace: (reference: string, position: number) => string,
): string {
  let result = ''
  let copied = 0
  for (const token of tokenizeBounded(formula)) {
    if (token.kind !== 'reference') continue
    const replacement = quoteReference(replace(token.text, token.position))
    result += formula.slice(copied, token.position) + replacement
    copied = token.end
  }
  return result + formula.slice(copied)
}

function tokenizeBounded(formula: string) {
  const lengthMax = limits.shownFormulaLength
  if (formula.length > lengthMax) {
    throw new FormulaError(`A formula has at most ${lengthMax} characters`, lengthMax)
  }
  return tokenize(formula)
}
