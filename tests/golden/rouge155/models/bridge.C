Cracks shut a well-known bridge.
 The council says that repairing it takes 11 weeks.
CafÃ© owners are worried, cafés may close.
