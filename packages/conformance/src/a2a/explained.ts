/** Tests of the kit that fail, by binding and name, and why by the specification. */
export const EXPLAINED: Readonly<Record<string, string>> = {
  'rest test_message_send_capabilities.py::test_message_send_continue_with_contextid':
    'its client looks for context_id in the task, which by section 5.5 is contextId, and then sends a contextId of its own, ' +
    'which by section 3.4.1 is refused beside the taskId of another context',
};
