import type { z } from 'zod'
import type { Action } from '../../access/roles.ts'
import type { Base } from '../../bases/base.ts'
import type { Deletion } from '../../trash/deletion.ts'
import type { CallContext } from '../../use-case.ts'
import type { NodeContext } from '../add-node.ts'
import type { DescribedNode } from '../tree-node.ts'

/** What the tree tells a resource about the call. */
export type ResourceContext = NodeContext & Pick<CallContext, 'publicUrl'> & { readonly base: Base }

/** What the tree changes of a resource; what is undefined stays. */
interface ResourceChange {
  readonly name?: string | undefined
  readonly icon?: string | null | undefined
}

/** What a caller says about a copy. */
export interface CopyOptions {
  /** When not given, the name of the original, numbered. */
  readonly name?: string | undefined
  /** Whether the records come along, where there are any. */
  readonly includeRecords?: boolean | undefined
}

/**
 * One type of resource, as the tree handles it. The base is held for update meanwhile. The tree makes,
 * marks and removes the nodes; a resource does the same to itself alone, in the same transaction.
 */
export interface NodeResource<Schema extends z.ZodObject = z.ZodObject> {
  /** The actions that callers need for what they do to a node of this type. */
  readonly actions: Readonly<Record<'read' | 'create' | 'update' | 'delete', Action>>
  /** What the creation of a node takes for this type, besides type, base and parent. */
  readonly input: Schema
  /** Where the resource opens, as a path of the web client. */
  urlOf(node: DescribedNode): string
  /** Makes the resource. Returns its id. */
  create(context: ResourceContext, input: z.output<Schema>): Promise<string>
  /**
   * Changes the name and the icon and, when that is a change, counts it on the node. What the resource
   * has none of is ignored. `validation_error` when the name can't be had.
   */
  change(context: ResourceContext, node: DescribedNode, change: ResourceChange): Promise<void>
  /** Moves it to the trash; absent where a deletion is for good. */
  markDeleted?(context: ResourceContext, resourceId: string, deletion: Deletion): Promise<void>
  deletePermanently(context: ResourceContext, resourceId: string): Promise<void>
  /** Makes a copy. Returns its id. Absent where that is not possible. */
  duplicate?(context: ResourceContext, resourceId: string, options: CopyOptions): Promise<string>
}
