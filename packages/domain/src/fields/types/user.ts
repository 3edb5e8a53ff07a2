import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import type { DefaultContext } from '../cell.ts'
import { isUnique } from '../cells/unique-items.ts'
import { oneUserCells, someUsersCells } from '../cells/user-cells.ts'
import { fieldType } from '../field-type.ts'

/** A default stands for one user by id, or for whoever creates the record. */
const defaultUserSchema = z.union([z.literal('me'), idSchema])

const optionsSchema = z
  .strictObject({
    isMultiple: z.boolean().default(false).describe('Whether a cell holds a list of users'),
    shouldNotify: z
      .boolean()
      .default(true)
      .describe('Whether users are told when they are named; kept, nobody is told'),
    defaultValue: z
      .union([
        defaultUserSchema,
        z
          .array(defaultUserSchema)
          .max(limits.collaboratorsPerResource)
          .refine(isUnique, 'must name each user once'),
      ])
      .optional()
      .describe('Whom a new record names: the id of a user, `me`, or a list of those'),
  })
  .superRefine(({ isMultiple, defaultValue }, context) => {
    if (Array.isArray(defaultValue) && !isMultiple) {
      const message = 'must be one user, because the field holds one'
      context.addIssue({ code: 'custom', path: ['defaultValue'], message })
    }
  })

/** One collaborator, or several where the field says so. */
export const user = fieldType<z.output<typeof optionsSchema>, string | readonly string[]>()({
  name: 'user',
  defaultName: ({ isMultiple }) => (isMultiple ? 'Collaborators' : 'Collaborator'),
  options: optionsSchema,
  cellValueType: () => 'string',
  dbFieldType: () => 'JSON',
  isMultiple: ({ isMultiple }) => isMultiple,
  cellOptions: ['isMultiple'],
  isOfUsers: true,
  canBePrimary: true,
  canBeUnique: false,
  canBeNotNull: true,
  cells: ({ isMultiple, defaultValue }) => {
    const defaults = [defaultValue ?? []].flat()
    const toDefaults = ({ userId, people }: DefaultContext): string[] => {
      const isThere = (id: string) => people === undefined || people.name(id) !== undefined
      const ids = defaults.flatMap((id) => {
        if (id === 'me') return userId ?? []
        return isThere(id) ? id : []
      })
      return [...new Set(ids)]
    }
    if (isMultiple) {
      const toCell = (context: DefaultContext) => {
        const ids = toDefaults(context)
        return ids.length > 0 ? ids : null
      }
      return { ...someUsersCells, ...(defaults.length > 0 && { defaultCell: toCell }) }
    }
    return {
      ...oneUserCells,
      ...(defaults.length > 0 && { defaultCell: (context) => toDefaults(context)[0] ?? null }),
    }
  },
})
