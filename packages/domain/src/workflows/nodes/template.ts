import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { storableTextUpTo } from '../../values/storable-text.ts'

/** A text of a node; it may name outputs of nodes that run before it, by whatever signs the program that runs it reads. */
export const template = storableTextUpTo(limits.templateLength).min(1)

/** The text, which may be empty. */
export const templateOrNone = storableTextUpTo(limits.templateLength)

/** A value that a node compares or writes. */
export const plainValue = z.union([templateOrNone, z.number(), z.boolean(), z.null()], {
  error: 'must be a text, a number, true, false or null',
})

const cellValue = z.union([plainValue, z.array(plainValue).max(limits.templateItems)], {
  error: `must be a text, a number, true, false, null or a list of ${limits.templateItems} of these at most`,
})

/** The cells that a node writes, by the ids of their fields. */
export const cellsSchema = z
  .record(idSchema, cellValue)
  .refine(
    (cells) => Object.keys(cells).length <= limits.fieldsPerTable,
    `must have at most ${limits.fieldsPerTable} members`,
  )
