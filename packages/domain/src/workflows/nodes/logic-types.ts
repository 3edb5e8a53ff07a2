import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { nameSchema } from '../../values/names.ts'
import type { NodeType } from './node-type.ts'
import { plainValue, template, templateOrNone } from './template.ts'

const comparison = z.strictObject({
  left: templateOrNone.describe('What is compared'),
  operator: z
    .enum([
      ...(['is', 'isNot', 'contains', 'doesNotContain', 'isEmpty', 'isNotEmpty'] as const),
      ...(['isGreater', 'isGreaterEqual', 'isLess', 'isLessEqual'] as const),
    ])
    .describe('How it is compared'),
  right: plainValue.optional().describe('What it is compared with, where that takes something'),
})

const branchSchema = z.strictObject({
  id: idSchema.optional().describe('The control node of the branch; left out for a new branch'),
  name: nameSchema.optional().describe('What people call it'),
  conjunction: z
    .enum(['and', 'or'])
    .optional()
    .describe('Whether all conditions must hold, which they must if left out, or one'),
  conditions: z
    .array(comparison)
    .max(limits.conditionsPerBranch)
    .optional()
    .describe('When the branch is taken, if none before it is; always where there are none'),
})

/** A way that a condition may lead, as it is sent and kept. */
export type Branch = z.output<typeof branchSchema>

/** How a workflow can decide, and do something many times. */
export const logicTypes = {
  condition: {
    config: z.strictObject({
      branches: z
        .array(branchSchema)
        .min(1)
        .max(limits.branchesPerCondition)
        .describe('The ways it may lead, of which the first one is taken that applies'),
    }),
  },
  Repeat: {
    config: z.strictObject({
      items: template.describe('The list, for each item of which it is done'),
      maxTimes: z
        .int()
        .min(1)
        .max(limits.recordsPerNode)
        .optional()
        .describe('How many times at most'),
    }),
  },
} as const satisfies Record<string, NodeType>

/** A kind of logic. */
export type LogicType = keyof typeof logicTypes

/** All kinds of logic. */
export const logicTypeNames = Object.keys(logicTypes) as [LogicType, ...LogicType[]]

const marker: NodeType = { config: z.strictObject({}) }

/** What marks the parts of logic: the ways of a condition, and where it and a repetition end. */
export const controlTypes = {
  conditionBranch: marker,
  conditionEnd: marker,
  repeatEnd: marker,
} as const satisfies Record<string, NodeType>
