refinement: C1 <= C1
refinement: C1 <= C2
refinement: C3 <= C3
specification: C1
refinement: P4 <= P5
refinement: T6 <= T5
refinement: T6Free <= T5
refinement: T1 || T2 <= T3
refinement: T1 || T2Free <= T3
refinement: N3 <= N4
refinement: N3Known <= N4
consistency: G21
local-consistency: G21
determinism: P8
refinement: K5 <= K6
refinement: K5 <= K6Less
refinement: T9 <= T8
refinement: Sender || Receiver <= Asking
refinement: Sender || Receiver <= Telling
reachability: Unavailable @ init -> Unavailable.id1
refinement: Waits5 <= Waits2
refinement: Upper4 <= Lower4
refinement: Upper5 <= Lower5
refinement: OneEdge <= TwoEdges
refinement: Second || First <= Until76
refinement: Second || First <= Until77
refinement: ThreeClocks <= OneClock
refinement: ThreeClocks <= OneClockAt15
refinement: Until4 <= Until2
refinement: Ticks <= Runs
determinism: Fork
determinism: NoFork
consistency: Least
local-consistency: Least
implementation: Urgent
consistency: Urgent
implementation: UrgentFree
