import type { Timestamp } from '../clock.ts'
import type { Flow, FlowNode } from './nodes/flow-node.ts'

/** What an activation put in force; nothing of it changes after that. */
export interface PublishedFlow extends Flow {
  /** What the workflow was called and described as then. */
  readonly name: string
  readonly description: string | null
  /** Who activated it, and when. */
  readonly publishedBy: string
  readonly publishedTime: Timestamp
  /** The nodes with the names that choices have got since; absent where they say none that got another one. */
  readonly renamed?: readonly FlowNode[]
}

/** What happens in a base when something else does: a trigger and what follows it. */
export interface Workflow {
  readonly id: string
  readonly baseId: string
  readonly name: string
  readonly description: string | null
  /** What people are editing; null when that is what was published last, or nothing yet. */
  readonly draft: Flow | null
  /** What was published last; it is in force while the workflow is active. */
  readonly published: PublishedFlow | null
  /** Who activated it; null while it isn't active. */
  readonly activeBy: string | null
  readonly createdBy: string
  readonly createdTime: Timestamp
  /** Null until the first change. */
  readonly lastModifiedBy: string | null
  readonly lastModifiedTime: Timestamp | null
  /** Counts the changes of the workflow. */
  readonly version: number
}

/** What people edit of a workflow. */
export function flowOf({ draft, published }: Pick<Workflow, 'draft' | 'published'>): Flow {
  return { nodes: (draft ?? published)?.nodes ?? [] }
}

/** What people edit once they have gone back to what was published: null where that is just as it was published. */
export function draftFrom({ renamed }: PublishedFlow): Flow | null {
  return renamed ? { nodes: renamed } : null
}

/** Whether what people edit differs from what was published; of a workflow that never was published, it does. */
export function hasDraft({ draft, published }: Pick<Workflow, 'draft' | 'published'>): boolean {
  return draft !== null || published === null
}

/** What is in force of a workflow, if it is active. */
export function activeFlowOf({ activeBy, published }: Workflow): PublishedFlow | undefined {
  return activeBy === null ? undefined : (published ?? undefined)
}
