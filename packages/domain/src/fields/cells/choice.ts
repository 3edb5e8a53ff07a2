import { z } from 'zod'
import type { Ids } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { nameSchema } from '../../values/names.ts'
import { textUpTo, toStorable } from '../../values/storable-text.ts'
import type { CellForm } from '../cell-form.ts'
import type { ChoiceCapability } from '../field-type.ts'
import { colorAt, colorSchema } from './color.ts'

const choiceSchema = z.strictObject({
  id: textUpTo(limits.choiceIdLength)
    .regex(/^[0-9a-zA-Z]+$/, 'must consist of letters and digits')
    .optional(),
  name: nameSchema,
  color: colorSchema.optional(),
})

/** What a select offers. */
export type Choice = z.output<typeof choiceSchema>

/** The options that every kind of select has. */
export const selectOptions = {
  choices: z
    .array(choiceSchema)
    .max(limits.choicesPerSelect)
    .superRefine((choices, context) => {
      for (const member of ['id', 'name'] as const) {
        const taken = new Set<string>()
        choices.forEach(({ [member]: value }, index) => {
          if (value !== undefined && taken.has(value)) {
            const message = 'must differ from that of every other choice'
            context.addIssue({ code: 'custom', path: [index, member], message })
          }
          if (value !== undefined) taken.add(value)
        })
      }
    })
    .default(() => [])
    .describe('What can be chosen, in its order'),
  preventAutoNewOptions: z
    .boolean()
    .optional()
    .describe('Whether no choice is added for a name that there is none of'),
}

/** The options of a select. */
export interface SelectOptions {
  choices: Choice[]
  preventAutoNewOptions?: boolean | undefined
}

const lineBreaks = /[\n\v\f\r\u0085\u2028\u2029]+/g

const positionsByChoices = new WeakMap<readonly Choice[], ReadonlyMap<string, number>>()

/** The positions of the choices by name; made once for a list, which must not change. */
export function choicePositions(choices: readonly Choice[]): ReadonlyMap<string, number> {
  const known = positionsByChoices.get(choices)
  if (known) return known
  const positions = new Map(choices.map(({ name }, position) => [name, position]))
  positionsByChoices.set(choices, positions)
  return positions
}

/** The form of cells that hold one of the choices, by name. */
export function choiceForm(choices: readonly Choice[]): CellForm {
  return { item: { kind: 'choice', names: () => choices.map(({ name }) => name) }, isList: false }
}

/** Orders names of choices by position. */
export function compareChoices(choices: readonly Choice[]): (a: string, b: string) => number {
  const positions = choicePositions(choices)
  return (a, b) => (positions.get(a) ?? choices.length) - (positions.get(b) ?? choices.length)
}

/**
 * Reads a text as a choice: one that is there, or the name of a new one where the field takes those. Line
 * breaks count as spaces, unless there is a choice that has them in its name.
 */
export function castChoice(options: SelectOptions): (text: string) => string | null {
  const positions = choicePositions(options.choices)
  return (text) => {
    const trimmed = toStorable(text).trim()
    if (positions.has(trimmed)) return trimmed
    const name = trimmed.replace(lineBreaks, ' ')
    if (positions.has(name)) return name
    const canBeNew = !options.preventAutoNewOptions && name.length <= limits.nameLength
    return canBeNew && name !== '' ? name : null
  }
}

/** Gives every choice an id and a colour. */
export function completeChoices<Options extends SelectOptions>(
  options: Options,
  ids: Pick<Ids, 'choice'>,
): Options {
  if (options.choices.every(({ id, color }) => id !== undefined && color !== undefined)) {
    return options
  }
  const taken = new Set(options.choices.map(({ id }) => id))
  const nextId = (): string => {
    let id = ids.choice()
    while (taken.has(id)) id = ids.choice()
    return id
  }
  const choices = options.choices.map(({ id = nextId(), name, color }, position) => ({
    id,
    name,
    color: color ?? colorAt(position),
  }))
  return { ...options, choices }
}

const none: readonly string[] = []

/** What the kinds of select share about their choices; `names` are those that a cell holds. */
export function choiceCapability<Options extends SelectOptions, C>(
  names: (cell: C) => readonly string[],
): ChoiceCapability<Options> {
  return {
    missing: ({ choices }, cell) => {
      const positions = choicePositions(choices)
      const unknown = names(cell as C).filter((name) => !positions.has(name))
      return unknown.length === 0 ? none : [...new Set(unknown)]
    },
    add: (options, added, ids) => {
      if (options.preventAutoNewOptions) return options
      const positions = choicePositions(options.choices)
      const room = limits.choicesPerSelect - options.choices.length
      const fresh = [...new Set(added)].filter((name) => !positions.has(name)).slice(0, room)
      if (fresh.length === 0) return options
      const choices = [...options.choices, ...fresh.map((name) => ({ name }))]
      return completeChoices({ ...options, choices }, ids)
    },
  }
}
