import { z } from 'zod'
import { limits } from '../../limits.ts'
import { textUpTo } from '../../values/storable-text.ts'
import { toText } from '../../values/text.ts'
import { Refusal } from '../cell.ts'
import { listOf } from '../cell-form.ts'
import {
  castChoice,
  choiceCapability,
  choiceForm,
  choicePositions,
  compareChoices,
  completeChoices,
  selectOptions,
} from '../cells/choice.ts'
import { compareLists } from '../cells/compare-lists.ts'
import { joinNamesAndLines, splitNamesAndLines } from '../cells/name-list.ts'
import { isUnique } from '../cells/unique-items.ts'
import { fieldType } from '../field-type.ts'

const defaultRule = 'must be the name of a choice, or names of different choices'

const nameSchema = textUpTo(limits.untrimmedNameLength, defaultRule).trim()

const optionsSchema = z
  .strictObject({
    ...selectOptions,
    defaultValue: z
      .union([nameSchema, z.array(nameSchema).max(limits.choicesPerSelect)])
      .optional()
      .describe('The names of the choices of a new record'),
  })
  .superRefine(({ choices, defaultValue }, context) => {
    const names = toNames(defaultValue)
    const positions = choicePositions(choices)
    if (!isUnique(names) || !names.every((name) => positions.has(name))) {
      context.addIssue({ code: 'custom', path: ['defaultValue'], message: defaultRule })
    }
  })

function toNames(defaultValue: string | string[] | undefined): readonly string[] {
  return typeof defaultValue === 'string' ? [defaultValue] : (defaultValue ?? [])
}

const refusal = new Refusal('must be a list of names of the choices, each once, or null')

/** Some of the choices of the field, held by name in the order given. */
export const multipleSelect = fieldType<z.output<typeof optionsSchema>, readonly string[]>()({
  name: 'multipleSelect',
  defaultName: () => 'Tags',
  options: optionsSchema,
  complete: completeChoices,
  cellValueType: () => 'string',
  dbFieldType: () => 'JSON',
  isMultiple: () => true,
  canBePrimary: true,
  canBeUnique: false,
  canBeNotNull: true,
  choices: choiceCapability((cell: readonly string[]) => cell),
  cells: (options) => {
    const positions = choicePositions(options.choices)
    const toChoice = castChoice(options)
    const compare = compareChoices(options.choices)
    const defaults = toNames(options.defaultValue)
    return {
      form: listOf(choiceForm(options.choices)),
      parse: (value) => {
        if (value === null) return null
        if (!Array.isArray(value)) return refusal
        if (value.length === 0) return null
        for (const name of value) if (!positions.has(name)) return refusal
        return isUnique(value) ? value : refusal
      },
      cast: (value) => {
        const texts = Array.isArray(value) ? value.map(toText) : splitNamesAndLines(toText(value))
        const names = new Set<string>()
        for (const text of texts) {
          if (names.size === limits.choicesPerSelect) break
          const name = toChoice(text)
          if (name !== null) names.add(name)
        }
        return names.size > 0 ? [...names] : null
      },
      format: joinNamesAndLines,
      compare: (a, b) => compareLists(a, b, compare),
      ...(defaults.length === 0 ? {} : { defaultCell: () => defaults }),
    }
  },
})
