import { z } from 'zod'
import { limits } from '../../limits.ts'
import { textUpTo } from '../../values/storable-text.ts'
import { toText } from '../../values/text.ts'
import { Refusal } from '../cell.ts'
import {
  castChoice,
  choiceCapability,
  choiceForm,
  choicePositions,
  compareChoices,
  completeChoices,
  selectOptions,
} from '../cells/choice.ts'
import { fieldType } from '../field-type.ts'

const defaultRule = 'must be the name of a choice'

const optionsSchema = z
  .strictObject({
    ...selectOptions,
    defaultValue: textUpTo(limits.untrimmedNameLength, defaultRule)
      .trim()
      .optional()
      .describe('The name of the choice of a new record'),
  })
  .superRefine(({ choices, defaultValue }, context) => {
    if (defaultValue !== undefined && !choices.some(({ name }) => name === defaultValue)) {
      context.addIssue({ code: 'custom', path: ['defaultValue'], message: defaultRule })
    }
  })

const refusal = new Refusal('must be the name of one of the choices, or null')

/** One of the choices of the field, held by name. */
export const singleSelect = fieldType<z.output<typeof optionsSchema>, string>()({
  name: 'singleSelect',
  defaultName: () => 'Select',
  options: optionsSchema,
  complete: completeChoices,
  cellValueType: () => 'string',
  dbFieldType: () => 'TEXT',
  canBePrimary: true,
  canBeUnique: false,
  canBeNotNull: true,
  choices: choiceCapability((cell: string) => [cell]),
  cells: (options) => {
    const positions = choicePositions(options.choices)
    const toChoice = castChoice(options)
    const { defaultValue } = options
    return {
      form: choiceForm(options.choices),
      parse: (value) => {
        if (value === null) return null
        return typeof value === 'string' && positions.has(value) ? value : refusal
      },
      cast: (value) => toChoice(toText(value)),
      format: (cell) => cell,
      compare: compareChoices(options.choices),
      ...(defaultValue === undefined ? {} : { defaultCell: () => defaultValue }),
    }
  },
})
