package suites

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Rules lists every rule, in the order of the catalogue. To add one, write its file, named for its id, and add its line here.
func Rules() []Rule {
	return []Rule{
		oneDeadline(),
		lateAttempt(),
		certainFailure(),
		finiteTimeout(),
		drippingBody(),
		drippingHead(),
		boundedConnect(),
		liveTimer(),
		deliveredReply(),

		permanentErrors(),
		busy(),
		gatewayErrors(),
		serverError(),
		notCapable(),
		requestTimeout(),
		tooEarly(),
		blindRetry(),
		refusedConnection(),
		boundedAttempts(),
		repeatedSuccess(),
		noRestart(),
		refreshedCredentials(),
		sameRequest(),
		pushback(),

		delaySeconds(),
		httpDate(),
		obsoleteDates(),
		pastDate(),
		zeroHint(),
		garbageHint(),
		hugeHint(),
		clampedHint(),
		overflowingHint(),
		longerOwnWait(),
		jitterAfterTheHint(),
		otherCarriers(),

		growingWaits(),
		cappedWaits(),
		randomWaits(),
		fullJitter(),
		equalJitter(),
		decorrelatedJitter(),
		jitterAtTheCap(),
		manyAttempts(),

		retryRatio(),
		sharedBudget(),
		emptyBudget(),
		budgetRefills(),
		oneRetryOwner(),
		spikeEnds(),

		keyFromTheFirst(),
		oneKey(),
		distinctKeys(),
		givenKey(),
		lostReply(),
		fingerprintConflict(),
		stablePayload(),
		stillInProgress(),
		oneAtATime(),
		savedError(),
		keyRetention(),
		lostPermission(),
		unguessableKeys(),
		ownEcho(),

		opens(),
		openIsFast(),
		halfOpen(),
		probeDecides(),
		neverStuck(),
		countsInAWindow(),
		whatCounts(),
		narrowScope(),

		limitedConcurrency(),
		neighbours(),
		placesComeBack(),

		timeLeftTravels(),
		noFreshTime(),
		inboundDeadline(),
		abandonedWork(),

		shortBody(),
		chunkedEndings(),
		staleConnection(),
		hiddenRetries(),
		failedBodies(),
		followedRedirects(),
		expectation(),
		ownReply(),

		cancelWhileWaiting(),
		cancelInFlight(),
		cancelledIsNotUndone(),

		mayRunTwice(),
		boundedHedges(),
		paidHedges(),

		onlyWholeSuccess(),
		knownRefusal(),
	}
}

// Select gives the rules whose ids match one of the patterns ("RT-*", "RA-07"); none means all. A pattern that matches nothing is an error.
func Select(rules []Rule, patterns []string) ([]Rule, error) {
	if len(patterns) == 0 {
		return rules, nil
	}
	wanted := map[RuleID]bool{}
	for _, p := range patterns {
		matched := false
		for _, r := range rules {
			ok, err := path.Match(strings.ToUpper(p), string(r.ID))
			if err != nil {
				return nil, fmt.Errorf("rule pattern %q: want an id such as RT-08, or a pattern such as RT-*", p)
			}
			if ok {
				matched, wanted[r.ID] = true, true
			}
		}
		if !matched {
			return nil, fmt.Errorf("no rule matches %q: want an id such as RT-08, or a pattern such as RT-*; brownout rules lists them", p)
		}
	}
	return slices.DeleteFunc(slices.Clone(rules), func(r Rule) bool { return !wanted[r.ID] }), nil
}
