/** Maxima of workflows: a part of `limits`. */
export const workflowLimits = {
  /** Members of the configuration of a node, as they are sent: no kind of node has as many. */
  nodeConfigMembers: 100,
  /** Fields of a table that a trigger watches. */
  watchedFields: 100,
  /** Characters of what a workflow runs, as JSON: it is read, checked and answered whole. */
  flowLength: 200_000,
  /**
   * Characters of the drafts and of what was published of all workflows of a base, as JSON: a list of workflows
   * reads them.
   */
  flowsLengthPerBase: 4_000_000,
  /** Between two runs by the clock, counted in the unit of the schedule. */
  scheduleInterval: 1_000,
} as const
